import com.google.javascript.jscomp.CompilationLevel;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.SourceFile;
import edu.berkeley.cs.jqf.examples.js.JavaScriptCodeGenerator;
import edu.berkeley.cs.jqf.fuzz.Fuzz;
import edu.berkeley.cs.jqf.fuzz.JQF;
import com.pholser.junit.quickcheck.From;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import org.junit.runner.RunWith;

/** Closure optimises a program. */
@RunWith(JQF.class)
public class ClosureTest extends Subject {
    private static final SourceFile EXTERNS = SourceFile.fromCode("externs", "");

    static {
        Compiler.setLoggingLevel(Level.OFF);
    }

    @Fuzz
    public void test(@From(JavaScriptCodeGenerator.class) String code) throws Throwable {
        check(code.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected boolean accepts(byte[] input) {
        Compiler compiler = new Compiler(new PrintStream(OutputStream.nullOutputStream(), false));
        compiler.disableThreads();
        CompilerOptions options = new CompilerOptions();
        CompilationLevel.SIMPLE_OPTIMIZATIONS.setOptionsForCompilationLevel(options);
        String text = new String(input, StandardCharsets.UTF_8);
        return compiler.compile(EXTERNS, SourceFile.fromCode("input", text), options).success;
    }
}
