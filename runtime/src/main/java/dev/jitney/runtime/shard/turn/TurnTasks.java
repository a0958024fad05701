package dev.jitney.runtime.shard.turn;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Runs the tasks of a shard's turn: first those that earlier turns have postponed, then new ones from the mailbox. For
 * the shard's thread.
 */
public final class TurnTasks {
    private static final int TASKS_PER_TURN = 1_024;

    /** The limit of peeks, lists and batch deletes that wait for another turn. */
    private static final int BROWSING_MAX = 1_000;

    private final Mailbox mailbox;
    private final PostponedTasks postponed;
    private final BrowseBudget browseBudget = new BrowseBudget();
    private final PostponedTasks browsing;

    /** @param steps the limit of rules in a turn */
    public TurnTasks(Mailbox mailbox, TurnSteps steps) {
        this.mailbox = mailbox;
        this.postponed = new PostponedTasks(mailbox, steps, true);
        this.browsing = new PostponedTasks(mailbox, browseBudget, false);
    }

    /** Returns whether no task waits. */
    public boolean areDone() {
        return mailbox.isEmpty() && postponed.isEmpty() && browsing.isEmpty();
    }

    /**
     * Runs tasks until none can run in this turn.
     *
     * @param enough returns whether the turn has reached another limit
     * @param beforeEach runs before each task from the mailbox
     * @param afterEach runs after each task
     * @return whether there was something to do
     */
    public boolean run(BooleanSupplier enough, Runnable beforeEach, Runnable afterEach) {
        browseBudget.startTurn();
        boolean ran = postponed.resume(enough, afterEach);
        if (!enough.getAsBoolean()) {
            ran |= browsing.resume(enough, afterEach);
        }
        for (int i = 0; i < TASKS_PER_TURN; i++) {
            ShardTask task = enough.getAsBoolean() ? null : mailbox.poll();
            if (task == null) {
                return ran || i > 0;
            }
            beforeEach.run();
            run(task);
            afterEach.run();
        }
        return true;
    }

    private void run(ShardTask task) {
        if (!task.isBrowsing()) {
            postponed.run(task);
        } else if (browsing.count(Objects.requireNonNull(task.lane())) < BROWSING_MAX - browsing.count()) {
            // A client may have as many as are free, so that some places always remain for the next one.
            browsing.run(task);
        } else {
            task.refuse(
                    new Rejection(
                            ErrorCode.SERVER_BUSY,
                            "Too many peeks, lists and batch deletes wait for their turn. Please wait 10 seconds and try again."));
        }
    }

    /** Refuses the peeks and batch deletes that wait, because the shard ends soon and they may take long. */
    public void endBrowsing(Rejection reason) {
        browsing.refuseAll(task -> reason);
    }

    /** Refuses all postponed tasks, because they will not run. */
    public void refusePostponed(Function<ShardTask, Rejection> reason) {
        postponed.refuseAll(reason);
        browsing.refuseAll(reason);
    }
}
