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
 * @param backlog messages that were sent and not yet completed, so also those that the broker has not accepted yet
 * @param waiting messages that the broker has accepted and that no receiver has yet
 */
public record Conditions(double idle, double stolen, Depth backlog, Depth waiting) {

    /** A number of messages that was sampled during a run: its mean and its maximum, both 0 without samples. */
    public record Depth(double mean, long max) {

        /** The samples. For one thread. */
        private static final class Samples {
            private long count;
            private long sum;
            private long max;

            void add(long messages) {
                count++;
                sum += messages;
                max = Math.max(max, messages);
            }

            Depth depth() {
                return new Depth(count == 0 ? 0 : (double) sum / count, max);
            }
        }
    }

    /** The processor times of the machine since its start, in ticks. */
    private record Ticks(long all, long idle, long stolen) {}

    /** The measurement of the conditions. For one thread. */
    static final class Watch {
        private static final Path STAT = Path.of("/proc/stat");
        private static final int IDLE = 4;
        private static final int WAITING = 5;
        private static final int STOLEN = 8;

        private final @Nullable Ticks before = ticks();
        private final Depth.Samples backlog = new Depth.Samples();
        private final Depth.Samples waiting = new Depth.Samples();

        /**
         * Adds a sample.
         *
         * @param waitingMessages may be negative for a moment, because a message can reach its receiver before its sender knows that it is
         *     accepted
         */
        void sample(long backlogMessages, long waitingMessages) {
            backlog.add(backlogMessages);
            waiting.add(Math.max(0, waitingMessages));
        }

        Conditions conditions() {
            Ticks now = ticks();
            Ticks first = before;
            double idle = -1;
            double stolen = -1;
            if (first != null && now != null && now.all > first.all) {
                idle = (double) (now.idle - first.idle) / (now.all - first.all);
                stolen = (double) (now.stolen - first.stolen) / (now.all - first.all);
            }
            return new Conditions(idle, stolen, backlog.depth(), waiting.depth());
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
