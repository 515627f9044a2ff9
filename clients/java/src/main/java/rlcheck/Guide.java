package rlcheck;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Java client of {@code rlcheck guide}: draws that another process answers. The protocol is described in
 * docs/reference/protocol.md.
 */
public final class Guide {
    private static final int FRAMES = 32;
    private static final Pattern ACTION = Pattern.compile("\\{\"action\":\\s*(\\d+)\\}");
    private static final Pattern DRAW = Pattern.compile("\\{\"n\":\\s*(\\d+),\\s*\"action\":\\s*(\\d+)\\}");
    private static final Pattern RECORDING =
            Pattern.compile("\\{\"rlcheck\":\\s*\"actions\",\\s*\"version\":\\s*1\\b.*");
    private static final StackWalker STACK = StackWalker.getInstance();

    private final BufferedReader reads;
    private final OutputStream writes;
    private final Iterator<String> replay;
    private final LongUnaryOperator here;
    private DoubleSupplier coverage = () -> 0;
    private int drawn = 0;

    private Guide(BufferedReader reads, OutputStream writes, Iterator<String> replay, LongUnaryOperator here) {
        this.reads = reads;
        this.writes = writes;
        this.replay = replay;
        this.here = here;
    }

    /** A guide in this process: a function of the number of options answers. */
    public static Guide of(LongUnaryOperator answer) {
        return new Guide(null, null, null, answer);
    }

    /** Finds the guide by RLCHECK_GUIDE: pipes, a Unix socket, or the path of a recording. */
    public static Guide connect() {
        return connect(System.getenv("RLCHECK_GUIDE"));
    }

    static Guide connect(String address) {
        try {
            if (address == null || address.isEmpty()) {
                return new Guide(null, null, null, null);
            }
            if (address.startsWith("unix:")) {
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(address.substring(5)));
                return greet(Channels.newInputStream(channel), Channels.newOutputStream(channel));
            }
            if (address.startsWith("fd:")) {
                String[] numbers = address.substring(3).split(",");
                return greet(new FileInputStream("/dev/fd/" + numbers[0]), new FileOutputStream("/dev/fd/" + numbers[1]));
            }
            List<String> lines = Files.readAllLines(Path.of(address));
            if (lines.isEmpty() || !RECORDING.matcher(lines.get(0)).matches()) {
                throw new IllegalStateException("rlcheck: " + address + " is not a recording that this client reads");
            }
            return new Guide(null, null, lines.subList(1, lines.size()).iterator(), null);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    static Guide greet(InputStream reads, OutputStream writes) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(reads, StandardCharsets.UTF_8));
        Guide made = new Guide(lines, writes, null, null);
        made.send("{\"rlcheck\": 1, \"client\": \"java\"}");
        String answer = lines.readLine();
        if (answer == null || !answer.matches("\\{\"rlcheck\":\\s*1\\}")) {
            throw new IllegalStateException("rlcheck: the guide speaks another version: " + answer);
        }
        return made;
    }

    /** Whether a guide or a recording answers; without one, draws are those of java.util. */
    public boolean isGuided() {
        return writes != null || replay != null || here != null;
    }

    /** Reports how much is covered so far with every draw. */
    public void reportCoverage(DoubleSupplier covered) {
        coverage = covered;
    }

    /** An integer from 0 to n, without n. */
    public long draw(long n) {
        if (n < 1) {
            throw new IllegalArgumentException("rlcheck: a draw needs at least one option, not " + n);
        }
        if (!isGuided()) {
            return ThreadLocalRandom.current().nextLong(n);
        }
        return here != null ? answered(n) : replay != null ? replayed(n) : asked(n);
    }

    private long answered(long n) {
        long action = here.applyAsLong(n);
        if (action < 0 || action >= n) {
            throw new IllegalStateException("rlcheck: the guide answered " + action + " to a draw from " + n + " options");
        }
        return action;
    }

    private long asked(long n) {
        try {
            send("{\"n\": " + n + ", \"state\": [" + stack() + "], \"coverage\": " + coverage.getAsDouble() + "}");
            String answer = reads.readLine();
            Matcher found = ACTION.matcher(answer == null ? "" : answer);
            if (!found.matches() || Long.parseLong(found.group(1)) >= n) {
                throw new IllegalStateException("rlcheck: the guide says: " + answer);
            }
            return Long.parseLong(found.group(1));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private long replayed(long n) {
        if (!replay.hasNext()) {
            throw new IllegalStateException("rlcheck: the recording ends after " + drawn + " draws");
        }
        Matcher found = DRAW.matcher(replay.next());
        if (!found.matches() || Long.parseLong(found.group(1)) != n || Long.parseLong(found.group(2)) >= n) {
            throw new IllegalStateException("rlcheck: draw " + drawn + " of the recording is not one of " + n + " options");
        }
        drawn++;
        return Long.parseLong(found.group(2));
    }

    /** Says how the run ended: "pass", "fail" or "invalid". */
    public void end(String how) {
        if (writes != null) {
            try {
                send("{\"end\": \"" + how + "\", \"coverage\": " + coverage.getAsDouble() + "}");
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
    }

    private void send(String line) throws IOException {
        writes.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        writes.flush();
    }

    /** Methods and lines outside this package and java.util, outermost first. */
    private static String stack() {
        List<String> made = STACK.walk(frames -> frames
                .filter(frame -> !frame.getClassName().startsWith("rlcheck.")
                        && !frame.getClassName().startsWith("java.util."))
                .limit(FRAMES)
                .map(frame -> "\"" + frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber() + "\"")
                .collect(Collectors.toList()));
        Collections.reverse(made);
        return String.join(", ", made);
    }
}
