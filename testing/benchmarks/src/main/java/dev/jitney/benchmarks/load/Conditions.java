package dev.jitney.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a run.
 *
 * @param idle the share of the machine's processor time that nothing used, 0 to 1; negative if not known
 * @param stolen the share that the host of a virtual machine gave to others; negative if not known
 * @param backlogMean messages that were sent and not yet completed, on average
 * @param backlogMax the most of them
 */
public record Conditions(double idle, double stolen, double backlogMean, long backlogMax) {

    /** The processor times of the machine since its start, in ticks. */
    private record Ticks(long all, long idle, long stolen) {}

    /** The measurement of the conditions. For one thread. */
    static final class Watch {
        private static final Path STAT = Path.of("/proc/stat");
        private static final int IDLE = 4;
        private static final int WAITING = 5;
        private static final int STOLEN = 8;

        private final @Nullable Ticks before = ticks();
        private long samples;
        private long sum;
        private long max;

        void backlog(long messages) {
            samples++;
            sum += messages;
            max = Math.max(max, messages);
        }

        Conditions conditions() {
            Ticks now = ticks();
            Ticks first = before;
            boolean known = first != null && now != null && now.all > first.all;
            return new Conditions(
                    known ? (double) (now.idle - first.idle) / (now.all - first.all) : -1,
                    known ? (double) (now.stolen - first.stolen) / (now.all - first.all) : -1,
                    samples == 0 ? 0 : (double) sum / samples,
                    max);
        }

        private static @Nullable Ticks ticks() {
            try {
                List<String> lines = Files.readAllLines(STAT);
                String[] fields = lines.get(0).trim().split("\\s+");
                long all = 0;
                for (int i = 1; i <= STOLEN; i++) {
                    all += Long.parseLong(fields[i]);
                }
                return new Ticks(
                        all,
                        Long.parseLong(fields[IDLE]) + Long.parseLong(fields[WAITING]),
                        Long.parseLong(fields[STOLEN]));
            } catch (IOException | RuntimeException anotherSystem) {
                return null;
            }
        }
    }
}
