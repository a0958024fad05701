package dev.jitney.gateway.http.operator.message;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Replacement;
import dev.jitney.runtime.ReplyListener;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The sending of a message again, changed or not. It reads the message, and then sends the new one, in one commit with the removal of the
 * original unless that stays.
 */
final class ResentMessage implements MessageAction {
    private final Executor executor;
    private final Entity entity;
    private final SubQueue subQueue;
    private final boolean keepsOriginal;
    private final Form form;
    private final Destination destination;
    private final String description;

    /** The new form of a message. */
    @FunctionalInterface
    interface Form {
        /** @throws RefusedException if the message cannot have that form */
        IncomingMessage of(MessageView original) throws RefusedException;
    }

    /** The choice of the entity for a message. */
    @FunctionalInterface
    interface Destination {
        /** @throws RefusedException if there is no such entity, or if the client may not send to it */
        Entity of(MessageView original) throws RefusedException;
    }

    /** @param description words for the audit log that end with a space, or nothing */
    ResentMessage(
            Executor executor,
            Entity entity,
            SubQueue subQueue,
            boolean keepsOriginal,
            Form form,
            Destination destination,
            String description) {
        this.executor = executor;
        this.entity = entity;
        this.subQueue = subQueue;
        this.keepsOriginal = keepsOriginal;
        this.form = form;
        this.destination = destination;
        this.description = description;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void perform(long sequenceNumber, Outcome outcome) {
        entity.submit(
                new Command.SearchMessages(subQueue, sequenceNumber, EnumSet.allOf(SearchState.class), null, 1),
                executor,
                new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        List<MessageView> found = ((Reply.Found) reply).messages();
                        if (found.isEmpty() || found.get(0).sequenceNumber() != sequenceNumber) {
                            outcome.refused(SingleMessage.missing(sequenceNumber));
                        } else {
                            perform(found.get(0), outcome);
                        }
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        outcome.onRejected(rejection);
                    }
                });
    }

    @Override
    public void perform(MessageView original, Outcome outcome) {
        try {
            Entity to = destination.of(original);
            IncomingMessage message = newForm(original);
            if (keepsOriginal) {
                to.submit(new Command.SendMessages(List.of(message)), executor, outcome);
            } else {
                entity.replace(new Replacement(subQueue, original.sequenceNumber(), to, message), executor, outcome);
            }
        } catch (RefusedException refused) {
            outcome.refused(refused.error());
        }
    }

    private IncomingMessage newForm(MessageView original) throws RefusedException {
        try {
            return form.of(original);
        } catch (IllegalArgumentException unreadable) {
            throw new RefusedException(
                    HttpError.badRequest("A value in the message is not valid AMQP, so it cannot be sent again."));
        }
    }
}
