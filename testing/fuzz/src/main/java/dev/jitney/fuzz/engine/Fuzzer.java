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
 * A run of inputs through a target until one fails or the time is over: first the corpus, then inputs from a seed. Each
 * generated input depends only on the seed and its number, so that it can be repeated without the inputs before it.
 *
 * <p>Inputs run on a thread with a small stack; the calling thread watches it, and an input that takes too long is a
 * finding like any other. Used once, by one thread.
 */
public final class Fuzzer {
    /** The stack size: enough for anything that does not recurse with its input. */
    private static final long STACK_BYTES = 512 * 1024;

    /** The time limit of an input: a hundred times what the slowest input takes on a slow machine. */
    private static final long INPUT_MS_MAX = 20_000;

    private static final long MINIMISE_MS = 20_000;
    private static final int INPUTS_BETWEEN_CHECKS = 256;

    /**
     * The number of recent inputs that may have caused a failure: a server may report a failure while the next inputs
     * run already.
     */
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

    /** An input that has run and may have caused a failure. */
    private record Suspect(String origin, byte[] input) {}

    /**
     * The result of a run.
     *
     * @param executions number of inputs run
     * @param tookMs time of the run
     * @param finding failure that ended the run, or null
     */
    public record Report(
            long executions, long tookMs, @Nullable Finding finding) {
        /** Returns the executions per second. */
        public long perSecond() {
            return executions * 1_000 / Math.max(1, tookMs);
        }
    }

    /** Runs the corpus, then new inputs for the given time. */
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
        log.take(); // drop log entries from before this run
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
                AssertionError hang = new AssertionError(
                        "Expected an input to end within " + INPUT_MS_MAX + " ms, but it still runs.");
                hang.setStackTrace(worker.getStackTrace());
                finding = new Finding(target.name(), origin, stuck, stuck, hang);
                break;
            }
        }
        return new Report(executions, elapsedMs(startNs), finding);
    }

    /** Returns the input of that number: valid, damaged, or a damaged input of the corpus. */
    private byte[] input(long number, List<Corpus.Entry> entries) {
        Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L + number);
        random.nextLong(); // similar seeds produce similar first values
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
                .orElse(new Suspect(from + ", which did not fail again", input));
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

    /** Runs an input and returns its failure, or null. */
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
                    + " bytes to be allocated for an input of " + input.length + ", but it allocated more.");
        }
        return complaint();
    }

    private @Nullable Throwable complaint() {
        String heard = log.take();
        return heard == null ? null : new AssertionError("The log reports: " + heard);
    }

    /** Returns the kind of a failure. Two failures are of the same kind if they come from the same place. */
    private static String kind(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String place = trace.length == 0 ? "" : Objects.toString(trace[0]);
        return failure.getClass().getName() + " " + place;
    }

    private static long elapsedMs(long sinceNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs);
    }
}
