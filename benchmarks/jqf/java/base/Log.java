import java.io.DataOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;

/**
 * Keeps each different valid input, and each different fault with the processor time until it was found.
 *
 * <p>A record is a kind, milliseconds, a length and that many bytes. It is written at once: a fuzzer is killed when
 * its processor time is over. No fuzzer instruments this class, because it is not loaded with the subject.
 */
public final class Log {
    private static final Set<Long> seen = new HashSet<>();
    private static final OutputStream file = open();

    private Log() {}

    /** Keep a valid input. */
    public static void valid(byte[] input) {
        write('V', input);
    }

    /** Keep the name of a fault. */
    public static void fault(String name) {
        write('F', name.getBytes());
    }

    private static void write(int kind, byte[] data) {
        long hash = kind;
        for (byte one : data) {
            hash = (hash ^ one) * 0x100000001b3L + (hash >>> 29);
        }
        if (file == null || !seen.add(hash)) {
            return;
        }
        try {
            ByteArrayOutputStream made = new ByteArrayOutputStream(data.length + 16);
            DataOutputStream record = new DataOutputStream(made);
            record.writeByte(kind);
            record.writeInt((int) (processorNanoseconds() / 1_000_000));
            record.writeInt(data.length);
            record.write(data);
            file.write(made.toByteArray());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static long processorNanoseconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static OutputStream open() {
        String path = System.getProperty("rlcheck.log");
        try {
            return path == null ? null : new FileOutputStream(path);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
