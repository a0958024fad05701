package dev.jitney.fuzz.engine;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs inputs through a target until one is not taken as it should be, or the time is over: the corpus first, then inputs
 * made from a seed, each by its own number, so that one can be made again without those before it.
 *
 * <p>Inputs run on a thread with a small stack under the eye of the one that calls: an input that takes too long is a
 * finding like any other. One use, one thread.
 */
public final class Fuzzer {
    /** Enough for anything that does not walk down with its input. */
    private static final long STACK_BYTES = 512 * 1024;

    /** A hundred times what the slowest input takes on a slow machine. */
    private static final long INPUT_MS_MAX = 20_000;

    private static final long MINIMISE_MS = 20_000;
    private static final int INPUTS_BETWEEN_CHECKS = 256;

    /** How many inputs may have done it: a server says what is wrong when the next ones run already. */
    private static final int SUSPECTS = 8;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final FuzzTarget target;
    private final Corpus corpus;
    private final long seed;
    private final LogWatch log;

    private final Deque<Suspect> suspects = new ArrayDeque<>();

    private volatile long executions;
    private volatile byte @Nullable [] running;
    private volatile String origin = "";
    private volatile @Nullable Finding finding;

    public Fuzzer(FuzzTarget target, Corpus corpus, long seed, LogWatch log) {
        this.target = target;
        this.corpus = corpus;
        this.seed = seed;
        this.log = log;
    }

    /** An input that has run. */
    private record Suspect(String origin, byte[] input) {}

    /**
     * What became of it.
     *
     * @param executions inputs run
     * @param tookMs how long that took
     * @param finding what ended it, or null
     */
    public record Report(
            long executions, long tookMs, @Nullable Finding finding) {
        /** Executions in a second. */
        public long perSecond() {
            return executions * 1_000 / Math.max(1, tookMs);
        }
    }

    /** Runs the corpus, then fresh inputs for so long. */
    public Report run(long forMs) throws IOException, InterruptedException {
        List<Corpus.Entry> entries = corpus.entries();
        return watched(() -> {
            long startNs = System.nanoTime();
            for (Corpus.Entry entry : entries) {
                if (!passes("corpus file " + entry.name(), entry.input())) {
                    return;
                }
            }
            for (long i = 0; elapsedMs(startNs) < forMs; i++) {
                if (!passes("seed " + seed + ", input " + i, input(i, entries))) {
                    return;
                }
            }
            rest();
        });
    }

    /** Runs one input. */
    public Report repeat(String name, byte[] input) throws InterruptedException {
        return watched(() -> {
            if (passes(name, input)) {
                rest();
            }
        });
    }

    private Report watched(Runnable work) throws InterruptedException {
        log.take(); // what is not of this run
        long startNs = System.nanoTime();
        Thread worker = new Thread(null, work, "fuzz " + target.name(), STACK_BYTES);
        worker.setDaemon(true);
        worker.start();
        for (long before = -1; ; before = executions) {
            worker.join(INPUT_MS_MAX);
            if (!worker.isAlive()) {
                break;
            }
            byte[] stuck = running;
            if (executions == before && stuck != null && finding == null) {
                AssertionError hang = new AssertionError("no end after " + INPUT_MS_MAX + " ms");
                hang.setStackTrace(worker.getStackTrace());
                finding = new Finding(target.name(), origin, stuck, stuck, hang);
                break;
            }
        }
        return new Report(executions, elapsedMs(startNs), finding);
    }

    /** The input of that number: of the right structure, damaged, or damaged from what was kept. */
    private byte[] input(long number, List<Corpus.Entry> entries) {
        Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L + number);
        random.nextLong(); // seeds that are alike begin alike
        int way = random.nextInt(10);
        byte[] base = way >= 7 && !entries.isEmpty()
                ? entries.get(random.nextInt(entries.size())).input()
                : target.generate(random);
        if (way < 3) {
            return base;
        }
        return new Mutations(random, target.words(), target.bytesMax()).mutate(base, target.generate(random));
    }

    private boolean passes(String from, byte[] input) {
        origin = from;
        running = input;
        suspects.addFirst(new Suspect(from, input));
        if (suspects.size() > SUSPECTS) {
            suspects.removeLast();
        }
        Throwable failure = failure(input);
        if (failure == null && executions % INPUTS_BETWEEN_CHECKS == 0) {
            failure = atRest();
        }
        executions++;
        running = null;
        if (failure == null) {
            return true;
        }
        String kind = kind(failure);
        Suspect guilty = suspects.stream()
                .filter(suspect -> failsAgain(suspect.input(), kind))
                .findFirst()
                .orElse(new Suspect(from + ", which fails no second time", input));
        byte[] minimised = new Minimiser(MINIMISE_MS, shorter -> failsAgain(shorter, kind)).minimise(guilty.input());
        finding = new Finding(target.name(), guilty.origin(), guilty.input(), minimised, failure);
        return false;
    }

    private boolean failsAgain(byte[] input, String kind) {
        Throwable failure = failure(input);
        Throwable late = failure == null ? atRest() : failure;
        return late != null && kind(late).equals(kind);
    }

    private void rest() {
        Throwable failure = atRest();
        if (failure != null) {
            finding = new Finding(target.name(), "at the end of seed " + seed, new byte[0], new byte[0], failure);
        }
    }

    private @Nullable Throwable atRest() {
        try {
            target.checkAtRest();
            return complaint();
        } catch (Throwable wrong) {
            return wrong;
        }
    }

    /** What is wrong with how an input is taken, or null. */
    private @Nullable Throwable failure(byte[] input) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        try {
            target.run(input.clone());
        } catch (Throwable wrong) {
            return wrong;
        }
        long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        if (allocated > target.allocationBytesMax()) {
            return new AssertionError("Expected at most " + target.allocationBytesMax()
                    + " bytes to be allocated for an input of " + input.length + ", but it was more.");
        }
        return complaint();
    }

    private @Nullable Throwable complaint() {
        String heard = log.take();
        return heard == null ? null : new AssertionError("The log says: " + heard);
    }

    /** Two failures are of one kind if they come from the same place. */
    private static String kind(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String place = trace.length == 0 ? "" : Objects.toString(trace[0]);
        return failure.getClass().getName() + " " + place;
    }

    private static long elapsedMs(long sinceNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs);
    }
}
