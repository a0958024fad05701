package dev.jitney.comparison.scenario;

import java.util.List;

/**
 * The sizes and times of the measurements.
 *
 * @param rounds runs of each broker in each scenario, in turns
 * @param backlogRounds runs of each broker with each backlog, which take long
 * @param seconds measured time of a run at full speed or at a rate
 * @param warmUpSeconds time that both directions run before any measurement
 * @param count messages of a run that only sends or only receives
 * @param idleSeconds time that a started broker stays idle before its memory is read
 * @param backlogs sizes of the backlogs, in messages
 * @param heap largest heap of each broker
 * @param jitneyBacklogHeap largest heap of Jitney with a backlog
 */
public record Sizes(
        int rounds,
        int backlogRounds,
        int seconds,
        int warmUpSeconds,
        long count,
        int idleSeconds,
        List<Long> backlogs,
        String heap,
        String jitneyBacklogHeap) {
    private static final long SMOKE_BACKLOG = 20_000;

    /** Returns sizes that show in minutes that everything works; their figures mean nothing. */
    public Sizes smoke() {
        List<Long> small = backlogs.stream()
                .map(size -> Math.min(size, SMOKE_BACKLOG))
                .distinct()
                .toList();
        return new Sizes(1, 1, 2, 1, 5_000, 1, small, heap, jitneyBacklogHeap);
    }
}
