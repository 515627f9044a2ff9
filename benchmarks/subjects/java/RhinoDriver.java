import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;

/** Rhino compiles a program to bytecode, which is never run. */
public final class RhinoDriver extends Driver {
    @Override
    protected boolean accepts(String text) {
        Context context = Context.enter();
        try {
            context.compileString(text, "input", 0, null);
        } catch (EvaluatorException rejected) {
            return false;
        } finally {
            Context.exit();
        }
        return true;
    }
}
