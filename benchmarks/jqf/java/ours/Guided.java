import com.pholser.junit.quickcheck.From;
import com.pholser.junit.quickcheck.generator.GenerationStatus;
import com.pholser.junit.quickcheck.generator.Generator;
import com.pholser.junit.quickcheck.random.SourceOfRandomness;
import edu.berkeley.cs.jqf.examples.common.Dictionary;
import edu.berkeley.cs.jqf.fuzz.Fuzz;
import edu.berkeley.cs.jqf.fuzz.junit.quickcheck.NonTrackingGenerationStatus;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Random;
import org.junit.AssumptionViolatedException;
import rlcheck.Guide;
import rlcheck.GuidedSource;

/** Runs a test of JQF with draws that a guide answers: the same generator, the same test. */
public final class Guided {
    /** How an input ended. */
    public static final int INVALID = 0;
    public static final int VALID = 1;
    public static final int FAILED = 2;

    private final Object test;
    private final Method method;
    private final Generator<?> generator;
    private final Frames frames;
    private final SourceOfRandomness source;
    private final GenerationStatus status;

    /** Of a test class by name, what decides draws, and a seed for those that are not guided. */
    public Guided(String name, Chooser chooser, long seed) throws Exception {
        Class<?> type = Class.forName(name);
        test = type.getConstructor().newInstance();
        method = Arrays.stream(type.getMethods())
                .filter(one -> one.isAnnotationPresent(Fuzz.class)).findFirst().orElseThrow();
        Parameter parameter = method.getParameters()[0];
        generator = parameter.getAnnotation(From.class).value().getConstructor().newInstance();
        Dictionary dictionary = parameter.getAnnotation(Dictionary.class);
        if (dictionary != null) {
            generator.getClass().getMethod("configure", Dictionary.class).invoke(generator, dictionary);
        }
        frames = new Frames(chooser);
        source = new Words(Guide.of(frames::draw), seed);
        status = new NonTrackingGenerationStatus(source);
    }

    /** Make an input, and test it. */
    public int run() throws Exception {
        frames.start();
        try {
            method.invoke(test, generator.generate(source, status));
            return VALID;
        } catch (AssumptionViolatedException rejected) {
            return INVALID; // By the generator itself.
        } catch (InvocationTargetException error) {
            return error.getCause() instanceof AssumptionViolatedException ? INVALID : FAILED;
        }
    }

    /** The letters of words are not guided: one is as good as another, and they are most of the draws. */
    private static final class Words extends GuidedSource {
        private final Random letters;

        Words(Guide guide, long seed) {
            super(guide);
            letters = new Random(seed);
        }

        @Override
        public char nextChar(char min, char max) {
            return (char) (min + letters.nextInt(max - min + 1));
        }

        @Override
        public byte nextByte(byte min, byte max) {
            return (byte) (min + letters.nextInt(max - min + 1));
        }
    }
}
