package rlcheck;

import com.pholser.junit.quickcheck.random.SourceOfRandomness;
import java.util.Random;

/** What junit-quickcheck's generators draw from, guided. */
public class GuidedSource extends SourceOfRandomness {
    private final Guide guide;
    private final GuidedRandom random;

    /** Draws from this guide. */
    public GuidedSource(Guide guide) {
        this(guide, new GuidedRandom());
    }

    private GuidedSource(Guide guide, GuidedRandom random) {
        super(random);  // It draws a seed, which no guide need answer.
        random.follow(guide);
        this.guide = guide;
        this.random = random;
    }

    /** What this draws from: a copy would not be guided. */
    @Override
    public Random toJDKRandom() {
        return random;
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
