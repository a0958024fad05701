package dev.jitney.gateway.http.operator.explain;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.message.MessageEdit;
import dev.jitney.gateway.http.operator.message.SingleMessage;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.gateway.http.operator.request.StrictJson;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The message of a request: a new one, or an existing one with changes. For the event loop of its exchange.
 *
 * @param edit the members of a new message, or the changes of an existing one
 * @param from the address of the existing message, or null for a new message
 * @param sequenceNumber of the existing message; not used for a new one
 */
record ExplainedMessage(MessageEdit edit, @Nullable EntityAddress from, long sequenceNumber) {
    private static final String NUMBER = "sequenceNumber";
    private static final String FROM = "from";

    /** The receiver of the message. */
    @FunctionalInterface
    interface Consumer {
        /** @throws RefusedException if the message cannot be explained */
        void accept(IncomingMessage message) throws RefusedException;
    }

    /** @throws RefusedException with 400 if a member is unknown or wrong; the text names it */
    static ExplainedMessage parse(byte[] json) throws RefusedException {
        Map<String, @Nullable Object> members = StrictJson.object(json);
        boolean existing = members.containsKey(NUMBER) || members.containsKey(FROM);
        Object number = members.remove(NUMBER);
        Object from = members.remove(FROM);
        if (!existing) {
            return new ExplainedMessage(MessageEdit.of(members), null, 0);
        }
        Long parsed = number instanceof String || number instanceof Integer || number instanceof Long
                ? OperatorRequest.number(number.toString())
                : null;
        if (parsed == null) {
            throw bad("Expected a sequence number in the member '" + NUMBER + "', because the member '" + FROM
                    + "' names the queue of an existing message.");
        }
        if (!(from instanceof String path) || path.isEmpty()) {
            throw bad("Expected the path of a queue, a topic or a subscription in the member '" + FROM
                    + "', such as orders/$DeadLetterQueue, because the member '" + NUMBER
                    + "' names an existing message.");
        }
        return new ExplainedMessage(MessageEdit.of(members), EntityAddress.ofPath(path), parsed);
    }

    private static RefusedException bad(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }

    /**
     * Passes the message to a consumer, in this call or later.
     *
     * @throws RefusedException if the existing message cannot be read
     */
    void load(Exchange exchange, Consumer consumer) throws RefusedException {
        EntityAddress address = from;
        if (address == null) {
            consumer.accept(edit.newMessage());
            return;
        }
        exchange.authorize(address, AccessRight.LISTEN);
        Entity entity = address.management() ? null : exchange.namespace().entity(address.path());
        if (entity == null) {
            throw new RefusedException(HttpError.notFound("The messaging entity '"
                    + ClientText.abbreviate(address.path()) + "' in the member 'from' could not be found."));
        }
        entity.submit(
                new Command.SearchMessages(
                        address.subQueue(), sequenceNumber, EnumSet.allOf(SearchState.class), null, 1),
                exchange.executor(),
                new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        exchange.guarded(() -> consumer.accept(changed(((Reply.Found) reply).messages())));
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        exchange.reject(rejection);
                    }
                });
    }

    private IncomingMessage changed(List<MessageView> found) throws RefusedException {
        if (found.isEmpty() || found.get(0).sequenceNumber() != sequenceNumber) {
            throw new RefusedException(SingleMessage.missing(sequenceNumber));
        }
        try {
            return edit.applyTo(found.get(0));
        } catch (IllegalArgumentException unreadable) {
            throw bad("A value in the message is not valid AMQP, so it cannot be sent again.");
        }
    }
}
