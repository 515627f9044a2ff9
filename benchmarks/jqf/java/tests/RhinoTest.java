import edu.berkeley.cs.jqf.examples.js.JavaScriptCodeGenerator;
import edu.berkeley.cs.jqf.fuzz.Fuzz;
import edu.berkeley.cs.jqf.fuzz.JQF;
import com.pholser.junit.quickcheck.From;
import java.nio.charset.StandardCharsets;
import org.junit.runner.RunWith;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;

/** Rhino compiles a program to bytecode, which is never run. */
@RunWith(JQF.class)
public class RhinoTest extends Subject {
    @Fuzz
    public void test(@From(JavaScriptCodeGenerator.class) String code) throws Throwable {
        check(code.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected boolean accepts(byte[] input) {
        Context context = Context.enter();
        try {
            context.compileString(new String(input, StandardCharsets.UTF_8), "input", 0, null);
        } catch (EvaluatorException rejected) {
            return false;
        } finally {
            Context.exit();
        }
        return true;
    }
}
