package rlcheck;

import java.util.Random;

/** A {@link Random} whose draws a guide answers. Without a guide it draws as {@link Random} does. */
public class GuidedRandom extends Random {
    private static final long serialVersionUID = 1;
    /** How many numbers a draw of whole bits, or of a fraction, is chosen from. */
    private static final int LEVELS = 256;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private transient Guide guide;

    /** Draws from this guide. */
    public GuidedRandom(Guide guide) {
        this.guide = guide;
    }

    /** Draws nothing from the guide before it is told to. */
    GuidedRandom() {
        this(null);
    }

    void follow(Guide guide) {
        this.guide = guide;
    }

    private boolean unguided() {
        return guide == null || !guide.isGuided();
    }

    /** One of 256 numbers, spread evenly over all bits: a draw of bits is not told its number of options. */
    @Override
    protected int next(int bits) {
        return unguided() ? super.next(bits) : (int) (guide.draw(LEVELS) * SPREAD >>> (64 - bits));
    }

    @Override
    public int nextInt(int bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound must be positive");
        }
        return unguided() ? super.nextInt(bound) : (int) guide.draw(bound);
    }

    @Override
    public boolean nextBoolean() {
        return unguided() ? super.nextBoolean() : guide.draw(2) == 1;
    }

    @Override
    public long nextLong() {
        return unguided() ? super.nextLong() : guide.draw(LEVELS) * SPREAD;
    }

    @Override
    public double nextDouble() {
        return unguided() ? super.nextDouble() : guide.draw(LEVELS) / (double) LEVELS;
    }

    @Override
    public float nextFloat() {
        return (float) nextDouble();
    }
}
