import java.util.Arrays;
import org.junit.Assume;

/** A program under test: whether it accepts an input; what else it throws is a fault. */
public abstract class Subject {
    /** Where assertions are checked, which is not where they fail. */
    private static final String[] ELSEWHERE = {
        "java.", "jdk.", "com.google.common.", "org.mozilla.javascript.Kit"
    };

    /** Whether the input is accepted. */
    protected abstract boolean accepts(byte[] input) throws Throwable;

    /** Test an input, and keep what it shows. */
    protected final void check(byte[] input) throws Throwable {
        boolean valid;
        try {
            valid = accepts(input);
        } catch (Throwable thrown) {
            Log.fault(name(thrown));
            throw thrown;
        }
        if (valid) {
            Log.valid(input);
        }
        Assume.assumeTrue(valid);
    }

    /** The type and the place of a fault. */
    static String name(Throwable thrown) {
        String type = thrown.getClass().getName();
        if (thrown instanceof VirtualMachineError) {
            return type; // Where stack or memory ends is an accident.
        }
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (Arrays.stream(ELSEWHERE).noneMatch(frame.getClassName()::startsWith)) {
                return type + " at " + frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
            }
        }
        return type;
    }
}
