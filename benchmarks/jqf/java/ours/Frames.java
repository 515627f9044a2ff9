import static java.lang.StackWalker.Option.RETAIN_CLASS_REFERENCE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The state of a generator: for each of its frames on the stack, where it is and what was chosen in it so far.
 *
 * <p>Frames have no identity here. A frame is taken for the same as before if it was called from the same place and
 * has moved on; one that is where it was, or further up, begins another pass and has chosen nothing yet. A choice
 * belongs to the frame that draws and to its two callers: JQF's generators draw words in a helper of a helper.
 */
final class Frames {
    private static final String GENERATORS = "edu.berkeley.cs.jqf.examples.";
    private static final int CALLERS = 2;
    private static final int WINDOW = 4;
    private static final int DEEPEST = 64;
    private static final StackWalker STACK = StackWalker.getInstance(RETAIN_CLASS_REFERENCE);

    private final Chooser chooser;
    private final Map<List<Integer>, Integer> known = new HashMap<>();
    private int depth;
    private Class<?>[] types = new Class<?>[DEEPEST];
    private int[] methods = new int[DEEPEST];
    private int[] places = new int[DEEPEST];
    private int[] chosen = new int[DEEPEST];

    Frames(Chooser chooser) {
        this.chooser = chooser;
    }

    /** Begin another input. */
    void start() {
        depth = 0;
    }

    long draw(long n) {
        enter(STACK.walk(Frames::ofGenerators));
        long index = chooser.draw(n, state());
        for (int frame = Math.max(0, depth - 1 - CALLERS); frame < depth; frame++) {
            chosen[frame] = 31 * (31 * chosen[frame] + places[depth - 1]) + (int) index + 1;
        }
        return index;
    }

    private static List<StackWalker.StackFrame> ofGenerators(Stream<StackWalker.StackFrame> frames) {
        List<StackWalker.StackFrame> found = new ArrayList<>();
        for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext(); ) {
            StackWalker.StackFrame frame = all.next();
            Class<?> type = frame.getDeclaringClass();
            if (type == Guided.class) {
                break;
            }
            if (type.getName().startsWith(GENERATORS)) {
                found.add(frame);
            }
        }
        return found;
    }

    /** Compare the frames, innermost first, with those of the last draw. */
    private void enter(List<StackWalker.StackFrame> frames) {
        int size = Math.min(frames.size(), DEEPEST);
        boolean same = true;
        for (int frame = 0; frame < size; frame++) {
            StackWalker.StackFrame found = frames.get(frames.size() - 1 - frame);
            Class<?> type = found.getDeclaringClass();
            int place = found.getByteCodeIndex();
            boolean innermost = frame == size - 1;
            boolean stays = place > places[frame] || place == places[frame] && !innermost;
            same = same && frame < depth && type == types[frame] && stays;
            if (!same) {
                chosen[frame] = 0;
            }
            same = same && place == places[frame];
            types[frame] = type;
            places[frame] = place;
            // The name of a method costs more than all else, and only those in the state matter.
            methods[frame] = frame < size - WINDOW ? 0 : found.getMethodName().hashCode();
        }
        depth = size;
    }

    private int state() {
        Integer[] parts = new Integer[Math.min(depth, WINDOW)];
        for (int part = 0; part < parts.length; part++) {
            int frame = depth - parts.length + part;
            parts[part] = 31 * (31 * methods[frame] + places[frame]) + chosen[frame] + types[frame].getName().hashCode();
        }
        Integer state = known.get(Arrays.asList(parts));
        if (state == null) {
            state = known.size();
            known.put(Arrays.asList(parts), state);
            int place = depth == 0 ? 0 : 31 * methods[depth - 1] + places[depth - 1];
            chooser.define(state, place, Arrays.stream(parts).mapToInt(part -> part).toArray());
        }
        return state;
    }
}
