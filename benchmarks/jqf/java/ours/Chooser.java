/** What decides draws: the other side is written in Python. */
public interface Chooser {
    /** A new state: the place of a draw, and a number for each frame around it, outermost first. */
    void define(int state, int place, int[] parts);

    /** The index of one of n options in a state. */
    long draw(long n, int state);
}
