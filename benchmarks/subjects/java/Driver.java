import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;

/** Runs a subject on one input: says whether it is accepted, and names what else is thrown. */
public abstract class Driver {
    private static final int INVALID = 0;
    private static final int VALID = 1;
    private static final int FAILED = 2;

    /** Where assertions are checked, which is not where they fail. */
    private static final String[] ELSEWHERE = {
        "java.", "jdk.", "com.google.common.", "org.mozilla.javascript.Kit"
    };

    private String fault = "";
    private String reason = "";

    /** Subjects print what they throw. */
    protected Driver() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }

    /** Whether the input is accepted; what it throws is a fault. */
    protected abstract boolean accepts(String text) throws Exception;

    /** INVALID, VALID or FAILED: exceptions that cross into Python cost more than most inputs do. */
    public final int run(String text) {
        try {
            return accepts(text) ? VALID : INVALID;
        } catch (Throwable thrown) {
            fault = thrown.getClass().getName() + " at " + place(thrown);
            return FAILED;
        }
    }

    /** Reject an input, and keep why. */
    protected final boolean reject(Exception why) {
        reason = String.valueOf(why.getMessage());
        return false;
    }

    /** Why the last input that was rejected was. */
    public final String reason() {
        return reason;
    }

    /** The type and place of the last fault. */
    public final String fault() {
        return fault;
    }

    private static String place(Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            return "any depth"; // Where stack or memory ends is an accident.
        }
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String name = frame.getClassName();
            if (Arrays.stream(ELSEWHERE).noneMatch(name::startsWith)) {
                return name + "." + frame.getMethodName() + ":" + frame.getLineNumber();
            }
        }
        return "an unknown place";
    }
}
