package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.Clock;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Step;
import org.jspecify.annotations.Nullable;

/**
 * The throttling credits of the namespace (THR-1, THR-2): nobody is served without, and nobody is refused while there are some.
 *
 * <p>Whether a request gets in is decided when it is made. What is certain to have been spent in a second of the clock and what
 * may have been are counted apart: a delivery, for example, is heard of later than it is paid for.
 */
public final class Credits {
    private static final int MANAGEMENT = 10;

    private final ModelState model;
    private final int perSecond;
    private final Clock clock;

    /** The last request, of which it is not known yet whether it got in. */
    private @Nullable Request last;

    private long second = Long.MIN_VALUE;
    private long certain;
    private long possible;

    private long clockSecond = Long.MIN_VALUE;

    /** How much had gone wrong when the second of the clock began. */
    private long disturbancesNow;

    /** How much had gone wrong when the one before it did; since then nobody may have heard of what was paid for. */
    private long disturbancesBefore;

    /** @param perSecond 0 for no throttling */
    public Credits(ModelState model, int perSecond, Clock clock) {
        this.model = model;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /** Whether clients are throttled at all. */
    public boolean areLimited() {
        return perSecond > 0;
    }

    /** A request is made; the one before it has been let in or refused. */
    public void enter(Request request) {
        tick();
        last = request;
    }

    private void settleLast() {
        Request before = last;
        last = null;
        if (before == null || perSecond == 0 || (before.credits() == 0 && !before.isRefusable())) {
            return; // what has nothing to do with credits begins no second of theirs either
        }
        enterSecond(before.madeMs);
        int cost = before.credits();
        if (!before.isAnswered() && before.isRefusable()) {
            boolean spent = certain >= perSecond || (certain > 0 && certain + cost > perSecond);
            check(!spent, () -> "Expected no service after " + certain + " credits of this second", before);
        }
        certain += before.isAnswered() ? 0 : cost;
        possible += cost;
    }

    /** It is that time. Whether the second before counts as one of its own when the clock is set back is left open. */
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

    /** Looks whether another second has begun, before anything happens in it. */
    public void tick() {
        settleLast();
        long now = Math.floorDiv(clock.nowMs(), 1_000L);
        if (now != clockSecond) {
            clockSecond = now;
            certain = 0; // it may be one that was left and has come again, with other spending in between
            disturbancesBefore = disturbancesNow;
            disturbancesNow = model.timeline().disturbances();
        }
    }

    /** A request was refused for want of credits. */
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
                () -> "Expected service with " + possible + " of " + perSecond + " credits used",
                request);
        model.count(Step.THROTTLED);
    }

    /** An entity is to be created, changed or deleted. */
    public void manage() {
        settleLast();
        spend(MANAGEMENT);
    }

    /** Something was delivered or shown that nobody had to ask for credits for. */
    void spend(int credits) {
        enterSecond(clock.nowMs());
        possible += credits;
    }

    /** A commit has taken long: when what it tells of was paid for is not known. */
    public void blur() {
        disturbancesNow = -1;
        disturbancesBefore = -1;
    }

    /** A process begins with all its credits. */
    public void restart() {
        last = null;
        certain = 0;
    }
}
