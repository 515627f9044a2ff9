package rlcheck;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Test;

public class GuideTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    /** A client whose guide gives these actions. */
    private Guide guided(int... actions) throws IOException {
        String answers = "{\"rlcheck\": 1}\n" + IntStream.of(actions)
                .mapToObj(action -> "{\"action\": " + action + "}\n").collect(Collectors.joining());
        return Guide.greet(new ByteArrayInputStream(answers.getBytes(StandardCharsets.UTF_8)), said);
    }

    private String[] lines() {
        return said.toString(StandardCharsets.UTF_8).split("\n");
    }

    @Test
    public void drawsAreAskedWithTheStackOfTheProgram() throws IOException {
        Guide guide = guided(4, 0);
        assertEquals(4, guide.draw(6));
        assertFalse(new GuidedRandom(guide).nextBoolean());
        guide.end("pass");
        assertTrue(lines()[1].startsWith("{\"n\": 6, \"state\": ["));
        assertTrue(lines()[2].startsWith("{\"n\": 2, \"state\": ["));
        assertTrue(lines()[3].startsWith("{\"end\": \"pass\""));
        assertFalse("only the program's own frames count", lines()[1].contains("rlcheck.Guide."));
    }

    @Test
    public void anAnswerOutOfRangeIsAnError() throws IOException {
        Guide guide = guided(6);
        assertThrows(IllegalStateException.class, () -> guide.draw(6));
        assertThrows(IllegalArgumentException.class, () -> guide.draw(0));
    }

    @Test
    public void aRecordingIsReplayed() throws IOException {
        Path path = Files.createTempFile("recording", ".jsonl");
        Files.writeString(path, "{\"rlcheck\": \"actions\", \"version\": 1}\n{\"n\": 6, \"action\": 4}\n");
        Guide guide = Guide.connect(path.toString());
        assertEquals(4, guide.draw(6));
        assertThrows(IllegalStateException.class, () -> guide.draw(6));
        assertThrows(IllegalStateException.class, () -> Guide.connect(path.toString()).draw(7));
    }

    @Test
    public void bitsAreSpreadOverAllOptions() throws IOException {
        Random random = new GuidedRandom(guided(IntStream.range(0, 256).toArray()));
        Set<Integer> tenths = IntStream.range(0, 256)
                .mapToObj(i -> Math.floorMod(random.nextInt(), 10)).collect(Collectors.toSet());
        assertEquals(10, tenths.size());
    }

    @Test
    public void aSourceTellsTheGuideHowManyOptionsThereAre() throws IOException {
        GuidedSource source = new GuidedSource(guided(3, 0, 25));
        assertEquals(8, source.nextInt(5, 9));
        assertEquals('a', source.nextChar('a', 'z'));
        assertEquals('z', source.nextChar('a', 'z'));
        assertTrue(lines()[1].startsWith("{\"n\": 5, "));
        assertTrue(lines()[2].startsWith("{\"n\": 26, "));
    }

    @Test
    public void withoutAGuideDrawsAreThoseOfJava() {
        Guide guide = Guide.connect("");
        assertFalse(guide.isGuided());
        Random random = new GuidedRandom(guide);
        assertTrue(IntStream.range(0, 1000).mapToObj(i -> random.nextLong()).collect(Collectors.toSet()).size() > 990);
    }

    @Test
    public void everyDrawOfASourceIsGuided() {
        long[] asked = new long[1];
        GuidedSource source = new GuidedSource(Guide.of(n -> {
            asked[0] = n;
            return n - 1;
        }));
        assertEquals(6, source.nextInt(7));
        assertEquals(7, asked[0]);
        assertEquals(9, source.nextInt(5, 9));
        assertEquals(5, asked[0]);
        assertTrue(source.nextBoolean());
        assertEquals(2, asked[0]);
        assertEquals("c", source.choose(List.of("a", "b", "c")));
        assertEquals(3, asked[0]);
        assertTrue(source.nextDouble() > 0.99);
        assertEquals(10, source.toJDKRandom().nextInt(11));
    }

    @Test
    public void aGuideInThisProcessIsChecked() {
        assertThrows(IllegalStateException.class, () -> Guide.of(n -> n).draw(6));
        assertThrows(IllegalStateException.class, () -> Guide.of(n -> -1).draw(6));
    }
}
