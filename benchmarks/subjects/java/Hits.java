import java.util.Arrays;

/** Counts the branches that instrumented classes take. */
public final class Hits {
    private static final int MOST = 1 << 20;
    private static final int[] counts = new int[MOST];
    private static final int[] taken = new int[MOST];
    private static int size;

    private Hits() {}

    /** Note a branch: instrumented classes call this. */
    public static void hit(int branch) {
        if (counts[branch]++ == 0) {
            taken[size++] = branch;
        }
    }

    /** The branches taken since the last time, in order, and then how often each was. */
    public static int[] take() {
        Arrays.sort(taken, 0, size);
        int[] found = new int[2 * size];
        for (int place = 0; place < size; place++) {
            found[place] = taken[place];
            found[size + place] = counts[taken[place]];
        }
        clear();
        return found;
    }

    /** Forget what was taken. */
    public static void clear() {
        for (int place = 0; place < size; place++) {
            counts[taken[place]] = 0;
        }
        size = 0;
    }
}
