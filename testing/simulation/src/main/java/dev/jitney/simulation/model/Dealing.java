package dev.jitney.simulation.model;

import java.util.ArrayList;
import java.util.List;

/** A transaction: what was done in it, and how it ends (semantics chapter 16). */
public final class Dealing {
    private static final long TIMEOUT_MS = 120_000;

    final String home;
    final List<Request.Settle> settlements = new ArrayList<>();
    final List<Request.Send> sends = new ArrayList<>();
    private final Ledger ledger;
    private long startedMs = Long.MAX_VALUE;
    private boolean asked;

    /** How many requests there were before its outcome was asked for. */
    private long askedAt = Long.MAX_VALUE;

    private boolean committing;
    private boolean spoiled;
    private boolean over;

    Dealing(Ledger ledger, String home) {
        this.ledger = ledger;
        this.home = home;
    }

    /** The entity it began with. */
    public String home() {
        return home;
    }

    boolean isCommitting() {
        return committing && !over && !spoiled;
    }

    /** It is to be committed. */
    public void commit() {
        committing = true;
        asked = true;
        askedAt = ledger.nextRequest();
    }

    /** It is to be rolled back. */
    public void rollBack() {
        asked = true;
        askedAt = ledger.nextRequest();
    }

    /** Whether its outcome was asked for, so that what it holds may be free soon. */
    boolean isAsked() {
        return asked;
    }

    /** Whether its outcome was asked for after a request was made, or not yet. */
    boolean isAskedAfter(long request) {
        return askedAt > request;
    }

    /** Whether something was done in it. */
    boolean hasWorked() {
        return startedMs != Long.MAX_VALUE;
    }

    /** Whether nothing more can come of it. */
    public boolean isOver() {
        return over;
    }

    /** TX-16: an operation was refused, so that nothing can be committed any more. */
    void spoil() {
        spoiled = true;
    }

    /** TX-16: an operation has failed; once the outcome is asked for, that may have failed with it and yet be on disk. */
    void fail() {
        spoiled |= !asked;
    }

    /** An operation was decided at that time. */
    void worked(long nowMs) {
        startedMs = Math.min(startedMs, nowMs);
    }

    /** TX-9: whether it has taken too long. */
    boolean isLate(long nowMs) {
        return startedMs != Long.MAX_VALUE && nowMs >= startedMs + TIMEOUT_MS;
    }

    /** TX-12: all of it has happened, or nothing. */
    void requireWhole() {
        boolean some = false;
        boolean all = true;
        for (Request.Send send : sends) {
            some |= send.storedCount() > 0;
            all &= send.storedCount() == send.messages.size()
                    || !ledger.answers().mustStore(send);
        }
        for (Request.Settle settle : settlements) {
            some |= settle.isTouched();
            all &= settle.isSettled();
        }
        ledger.check(all || !some, "Expected all of a transaction or nothing", this);
    }

    void requireDone() {
        ledger.check(!spoiled, "Expected no commit after an operation was refused (TX-16)", this);
        for (Request.Send send : sends) {
            ledger.check(
                    send.storedCount() == send.messages.size()
                            || !ledger.answers().mustStore(send),
                    "Expected what was committed to be on disk",
                    send);
            ledger.answers().requireTaken(send, askedAt);
        }
        for (Request.Settle settle : settlements) {
            ledger.check(settle.isSettled(), "Expected what was committed to be on disk", settle);
        }
    }

    void requireUndone() {
        for (Request.Send send : sends) {
            ledger.check(send.storedCount() == 0, "Expected nothing of what was rolled back", send);
        }
        for (Request.Settle settle : settlements) {
            ledger.check(!settle.isTouched(), "Expected nothing of what was rolled back", settle);
        }
    }

    /** No more can come of it: its locks are what they were. */
    void end() {
        over = true;
        sends.forEach(ledger.answers()::forget);
        for (Request.Settle settle : settlements) {
            settle.forget();
            for (Lock lock : settle.locks) {
                if (lock.heldBy == this) {
                    lock.heldBy = null;
                }
            }
        }
    }

    @Override
    public String toString() {
        return "transaction of " + sends + " and " + settlements;
    }
}
