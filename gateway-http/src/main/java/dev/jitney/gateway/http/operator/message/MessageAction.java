package dev.jitney.gateway.http.operator.message;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.runtime.ReplyListener;

/** A change of one message by its sequence number. For the event loop of its exchange. */
public interface MessageAction {

    /**
     * The receiver of the result, which gets one call on the event loop: the reply or the rejection of the broker, or an error of this
     * API.
     */
    interface Outcome extends ReplyListener {

        void refused(HttpError error);
    }

    /** Starts the change. The outcome follows. */
    void perform(long sequenceNumber, Outcome outcome);

    /** Returns words for the audit log that end with a space, or nothing. */
    default String description() {
        return "";
    }
}
