import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Runs every input of a log again, on a copy of the subject that notes its branches: `java Replay AntTest LOG`. */
public final class Replay {
    private final Subject subject;
    private final BitSet branches = new BitSet();
    private final Set<Long> traces = new HashSet<>();
    private int valid;

    private Replay(String name) throws Exception {
        subject = (Subject) Class.forName(name).getConstructor().newInstance();
    }

    /** Prints one line: inputs, branches, traces; then a line for each fault, with its time in milliseconds. */
    public static void main(String[] arguments) throws Exception {
        Replay replay = new Replay(arguments[0]);
        StringBuilder faults = new StringBuilder();
        try (DataInputStream log = new DataInputStream(new BufferedInputStream(new FileInputStream(arguments[1])))) {
            while (true) {
                int kind = log.readByte();
                int milliseconds = log.readInt();
                byte[] data = new byte[log.readInt()];
                log.readFully(data);
                if (kind == 'V') {
                    replay.run(data);
                } else {
                    faults.append(milliseconds).append(' ').append(new String(data)).append('\n');
                }
            }
        } catch (EOFException end) {
            // The last record may be cut off.
        }
        System.out.println(replay.valid + " " + replay.branches.cardinality() + " " + replay.traces.size());
        System.out.print(faults);
    }

    private void run(byte[] input) {
        Hits.clear();
        try {
            if (!subject.accepts(input)) {
                return;
            }
        } catch (Throwable fault) {
            return;
        }
        int[] taken = Hits.take();
        int size = taken.length / 2;
        long trace = 0;
        for (int place = 0; place < size; place++) {
            branches.set(taken[place]);
            int bucket = 32 - Integer.numberOfLeadingZeros(taken[size + place]); // Powers of two, as Zest has them.
            trace = (trace * 0x100000001b3L ^ (taken[place] * 64L + bucket)) + (trace >>> 31);
        }
        valid++;
        traces.add(trace);
    }
}
