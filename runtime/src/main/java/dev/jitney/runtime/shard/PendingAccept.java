package dev.jitney.runtime.shard;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import java.util.Locale;
import java.util.concurrent.Executor;

/** A receiver that waits for a session: its timeout, and the listeners to call when it gets a session or times out. */
record PendingAccept(long waitMs, Executor executor, ReceiverListener listener, ReplyListener reply) {

    Rejection timedOut() {
        return timedOut(waitMs);
    }

    static Rejection timedOut(long waitMs) {
        long seconds = waitMs / 1000;
        return new Rejection(
                ErrorCode.TIMEOUT,
                String.format(
                        Locale.ROOT,
                        "The operation did not complete within the allotted timeout of %02d:%02d:%02d: no session became"
                                + " available.",
                        seconds / 3600,
                        seconds / 60 % 60,
                        seconds % 60));
    }
}
