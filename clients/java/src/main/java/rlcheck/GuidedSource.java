package rlcheck;

import com.pholser.junit.quickcheck.random.SourceOfRandomness;

/** What junit-quickcheck's generators draw from, guided. */
public class GuidedSource extends SourceOfRandomness {
    private final Guide guide;

    /** Draws from this guide. */
    public GuidedSource(Guide guide) {
        super(new GuidedRandom());  // It draws a seed, which no guide need answer.
        ((GuidedRandom) toJDKRandom()).follow(guide);
        this.guide = guide;
    }

    /** Between two numbers, both included: the guide is told how many there are. */
    @Override
    public int nextInt(int min, int max) {
        return (int) nextLong(min, max);
    }

    @Override
    public byte nextByte(byte min, byte max) {
        return (byte) nextLong(min, max);
    }

    @Override
    public short nextShort(short min, short max) {
        return (short) nextLong(min, max);
    }

    @Override
    public char nextChar(char min, char max) {
        return (char) nextLong(min, max);
    }

    @Override
    public long nextLong(long min, long max) {
        if (min > max) {
            throw new IllegalArgumentException(min + " is above " + max);
        }
        long options = max - min + 1;
        // The whole range of long has more options than a draw can have.
        return options < 1 ? nextLong() : min + guide.draw(options);
    }
}
