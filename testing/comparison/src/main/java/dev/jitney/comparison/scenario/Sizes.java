package dev.jitney.comparison.scenario;

import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds runs of each broker in each scenario, in turns
 * @param backlogRounds the same for backlogs, which take long
 * @param seconds how long a run at full speed or at a rate is measured
 * @param warmUpSeconds how long both directions run before anything is measured
 * @param count messages of a run that only sends or only receives
 * @param idleSeconds how long a started broker is left alone before its memory is read
 * @param backlogs sizes of the backlogs, in messages
 * @param heap largest heap of each broker
 * @param jitneyBacklogHeap largest heap of Jitney where there is a backlog
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

    /** What shows in minutes whether everything works; its figures mean nothing. */
    public Sizes smoke() {
        List<Long> small = backlogs.stream()
                .map(size -> Math.min(size, SMOKE_BACKLOG))
                .distinct()
                .toList();
        return new Sizes(1, 1, 2, 1, 5_000, 1, small, heap, jitneyBacklogHeap);
    }
}
