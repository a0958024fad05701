package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.Clock;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Step;
import org.jspecify.annotations.Nullable;

/**
 * The throttling credits of the namespace (THR-1, THR-2). No request is served without credits, and none is throttled
 * while there are enough.
 *
 * <p>A request passes or is throttled at the time when it is made. The certain and the possible costs of a second are
 * counted separately. For example, a delivery is reported later than its cost is counted.
 */
public final class Credits {
    private static final int MANAGEMENT = 10;

    private final ModelState model;
    private final int perSecond;
    private final Clock clock;

    /** The last request, while it is unknown whether it was throttled. */
    private @Nullable Request last;

    private long second = Long.MIN_VALUE;
    private long certain;
    private long possible;

    private long clockSecond = Long.MIN_VALUE;

    /** The number of faults when the current second of the clock began. */
    private long disturbancesNow;

    /**
     * The number of faults when the second before it began. After a fault, some costs may have been counted without a
     * reply.
     */
    private long disturbancesBefore;

    /**
     * Creates the credits.
     *
     * @param perSecond the credits per second; 0 for no throttling
     */
    public Credits(ModelState model, int perSecond, Clock clock) {
        this.model = model;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /** Returns whether clients are throttled. */
    public boolean areLimited() {
        return perSecond > 0;
    }

    /** Records a request. The request before it is known to be throttled or not. */
    public void enter(Request request) {
        tick();
        last = request;
    }

    private void settleLast() {
        Request before = last;
        last = null;
        if (before == null || perSecond == 0 || (before.credits() == 0 && !before.isRefusable())) {
            return; // a request without cost does not begin a second
        }
        enterSecond(before.madeMs);
        int cost = before.credits();
        if (!before.isAnswered() && before.isRefusable()) {
            boolean spent = certain >= perSecond || (certain > 0 && certain + cost > perSecond);
            check(!spent, () -> "Expected throttling after " + certain + " credits in this second", before);
        }
        certain += before.isAnswered() ? 0 : cost;
        possible += cost;
    }

    /** Sets the time. When the clock is set back, the second before may or may not count separately. */
    private void enterSecond(long nowMs) {
        long now = Math.floorDiv(nowMs, 1_000L);
        if (now != second) {
            certain = 0;
        }
        if (now != second && now != second - 1) {
            second = now;
            possible = 0;
        }
    }

    /** Checks whether another second has begun. Called before other events. */
    public void tick() {
        settleLast();
        long now = Math.floorDiv(clock.nowMs(), 1_000L);
        if (now != clockSecond) {
            clockSecond = now;
            certain = 0; // the clock may be back in an earlier second, with other costs in between
            disturbancesBefore = disturbancesNow;
            disturbancesNow = model.timeline().disturbances();
        }
    }

    /** Called when a request was throttled. */
    void refused(Request request, Rejection rejection) {
        boolean atOnce = request == last;
        last = null;
        check(atOnce && request.isRefusable(), () -> "Expected no throttling, but got " + rejection, request);
        enterSecond(request.madeMs);
        boolean sure = disturbancesBefore == model.timeline().disturbances()
                && !model.timeline().isDisturbed()
                && !model.timeline().isCommitting();
        boolean spent = possible >= perSecond || (possible > 0 && possible + request.credits() > perSecond);
        check(
                perSecond > 0 && (spent || !sure),
                () -> "Expected no throttling with " + possible + " of " + perSecond + " credits used",
                request);
        model.count(Step.THROTTLED);
    }

    /** Called before an entity is created, changed or deleted. */
    public void manage() {
        settleLast();
        spend(MANAGEMENT);
    }

    /** Counts the cost of deliveries and replies. */
    void spend(int credits) {
        enterSecond(clock.nowMs());
        possible += credits;
    }

    /** Called after a long commit: the time at which its requests were charged is unknown. */
    public void blur() {
        disturbancesNow = -1;
        disturbancesBefore = -1;
    }

    /** Called when a process starts, with all its credits. */
    public void restart() {
        last = null;
        certain = 0;
    }
}
