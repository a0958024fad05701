package dev.jitney.gateway.http.operator;

import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.Rejection;

/** A change of one message by its sequence number. For the event loop of its exchange. */
interface MessageAction {

    /** The receiver of the result, which is called once on the event loop. */
    interface Outcome {

        void changed(Reply reply);

        void refused(HttpError error);

        void refused(Rejection rejection);
    }

    /** @throws RefusedException if the message is not changed; then the outcome is not called */
    void perform(long sequenceNumber, Outcome outcome) throws RefusedException;

    /** Returns words for the audit log that end with a space, or nothing. */
    default String description() {
        return "";
    }
}
