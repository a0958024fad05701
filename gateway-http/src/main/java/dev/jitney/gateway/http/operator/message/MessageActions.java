package dev.jitney.gateway.http.operator.message;

import dev.jitney.codec.ContentReader;
import dev.jitney.core.MessageAct;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.OperatorBody;
import dev.jitney.gateway.http.operator.request.OperatorOperation;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MessageIds;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the action of an operation on chosen messages, after the check of the rights. */
public final class MessageActions {
    /** An application property with the number of resubmissions of a message. */
    public static final String RESUBMITTED = "x-jitney-resubmitted";

    /** An application property with the queue from which a message was resubmitted. */
    static final String RESUBMITTED_FROM = "x-jitney-resubmitted-from";

    private final Author author;
    private final Entity entity;
    private final EntityAddress address;

    /** @param entity the entity of the address */
    public MessageActions(Author author, Entity entity, EntityAddress address) {
        this.author = author;
        this.entity = entity;
        this.address = address;
    }

    /**
     * Returns the action of an operation with a body.
     *
     * @throws RefusedException if the operation is not possible, or if a right is missing
     */
    public MessageAction of(OperatorOperation operation, OperatorBody body) throws RefusedException {
        authorize(operation, body);
        return switch (operation) {
            case DELETE -> change(MessageAct.DELETE, body);
            case DEAD_LETTER -> change(MessageAct.DEAD_LETTER, body);
            case UNLOCK -> change(MessageAct.UNLOCK, body);
            case RESUBMIT -> resubmission("source".equals(body.text("target")), body.flag("newMessageId"));
            case MOVE -> transfer(body, false);
            case COPY -> transfer(body, true);
            case DELIVER_NOW -> rescheduled(original -> MessageEdit.unchanged(original, Map.of(), false));
            case RESCHEDULE -> {
                MessageEdit edit = edit("scheduledEnqueueTime", body.text("scheduledEnqueueTime"));
                yield rescheduled(edit::applyTo);
            }
            default ->
                throw new IllegalArgumentException(
                        "Expected an operation on chosen messages, but got " + operation + ".");
        };
    }

    /**
     * Checks the rights that an operation needs. Its destination may be missing.
     *
     * @throws RefusedException if a right is missing
     */
    public void authorize(OperatorOperation operation, OperatorBody body) throws RefusedException {
        switch (operation) {
            case RESUBMIT -> authorizeResubmission("source".equals(body.text("target")));
            case MOVE, COPY -> {
                author.authorize(
                        address, operation == OperatorOperation.COPY ? AccessRight.LISTEN : AccessRight.MANAGE);
                author.authorize(EntityAddress.ofPath(String.valueOf(body.text("to"))), AccessRight.SEND);
            }
            case DELIVER_NOW, RESCHEDULE -> {
                author.authorize(address, AccessRight.LISTEN);
                author.authorize(address, AccessRight.SEND);
            }
            default -> author.authorize(address, AccessRight.MANAGE);
        }
    }

    private void authorizeResubmission(boolean toSource) throws RefusedException {
        author.authorize(address, AccessRight.LISTEN);
        if (!toSource) {
            author.authorize(EntityAddress.ofPath(entity.path()), AccessRight.SEND);
        }
    }

    private MessageAction change(MessageAct act, OperatorBody body) {
        return new StateChange(
                author.executor(), entity, address.subQueue(), act, body.text("reason"), body.text("description"));
    }

    /**
     * Returns the action that sends a dead letter again.
     *
     * @param toSource whether it goes to the entity that has dead-lettered it first
     * @param newId whether it gets a new message id
     * @throws RefusedException if the address is no dead-letter queue, or if a right is missing
     */
    public MessageAction resubmission(boolean toSource, boolean newId) throws RefusedException {
        authorizeResubmission(toSource);
        if (address.subQueue() == SubQueue.MAIN) {
            throw new RefusedException(HttpError.badRequest(
                    "Expected a dead-letter queue, such as '" + address.path() + SubQueue.DEAD_LETTER.suffix()
                            + "', because only dead letters are resubmitted. Move or copy other messages."));
        }
        String from = entity.path() + address.subQueue().suffix();
        return resent(
                false,
                original -> resubmitted(original, from, newId),
                toSource ? this::source : original -> entity,
                toSource ? "to their source, " : "");
    }

    /** Returns the entity that has dead-lettered a message first, or the topic of a subscription. */
    private Entity source(MessageView original) throws RefusedException {
        String source = original.deadLetterSource();
        if (source != null && !source.equalsIgnoreCase(entity.path())) {
            return destination(source);
        }
        String topic = address.topic();
        return topic == null ? destination(entity.path()) : destination(topic);
    }

    private MessageAction transfer(OperatorBody body, boolean keepsOriginal) throws RefusedException {
        Entity to = destination(String.valueOf(body.text("to")));
        boolean newId = body.flag("newMessageId");
        return resent(
                keepsOriginal,
                original -> newId
                        ? edit("messageId", MessageIds.fresh()).applyTo(original)
                        : MessageEdit.unchanged(original, Map.of(), true),
                original -> to,
                "to '" + to.path() + "', ");
    }

    private MessageAction rescheduled(ResentMessage.Form form) {
        return resent(
                false,
                original -> {
                    if (original.state() != MessageState.SCHEDULED) {
                        throw new RefusedException(HttpError.badRequest(
                                "The message " + original.sequenceNumber() + " is not scheduled."));
                    }
                    return form.of(original);
                },
                original -> entity,
                "");
    }

    /**
     * Returns the action that sends a changed message.
     *
     * @throws RefusedException if the destination does not exist, or if a right is missing
     */
    public MessageAction edited(MessageEdit edit, @Nullable String to, boolean keepsOriginal) throws RefusedException {
        author.authorize(address, AccessRight.LISTEN);
        Entity destination = to == null ? own() : destination(to);
        return resent(
                keepsOriginal,
                edit::applyTo,
                original -> destination,
                "sent to '" + destination.path() + "'" + (keepsOriginal ? ", the original stays, " : ", "));
    }

    private Entity own() throws RefusedException {
        author.authorize(EntityAddress.ofPath(entity.path()), AccessRight.SEND);
        return entity;
    }

    private MessageAction resent(
            boolean keepsOriginal, ResentMessage.Form form, ResentMessage.Destination destination, String description) {
        return new ResentMessage(
                author.executor(), entity, address.subQueue(), keepsOriginal, form, destination, description);
    }

    /** Returns the entity to send to, after the check of the right. */
    private Entity destination(String path) throws RefusedException {
        EntityAddress to = EntityAddress.ofPath(path);
        author.authorize(to, AccessRight.SEND);
        Entity found = to.management() || to.subQueue() != SubQueue.MAIN
                ? null
                : author.namespace().entity(to.path());
        if (found == null) {
            throw new RefusedException(
                    HttpError.notFound("There is no queue or topic '" + ClientText.abbreviate(path) + "' to send to."));
        }
        if (found.kind() == EntityKind.SUBSCRIPTION && found != entity) {
            throw new RefusedException(HttpError.badRequest("'" + found.path()
                    + "' is a subscription, which gets no messages from other entities. Send them to its topic."));
        }
        return found;
    }

    private static IncomingMessage resubmitted(MessageView original, String from, boolean newId)
            throws RefusedException {
        Map<String, EncodedValue> marks = new LinkedHashMap<>();
        marks.put(RESUBMITTED, EncodedValue.ofInt(resubmissions(original) + 1));
        marks.put(RESUBMITTED_FROM, EncodedValue.ofString(from));
        return newId
                ? edit("messageId", MessageIds.fresh()).applyTo(original, marks)
                : MessageEdit.unchanged(original, marks, true);
    }

    private static int resubmissions(MessageView original) {
        Object count = new ContentReader(original.content())
                .applicationProperties(original.propertyOverrides())
                .get(RESUBMITTED);
        return count instanceof Integer number && number > 0 && number < Integer.MAX_VALUE ? number : 0;
    }

    private static MessageEdit edit(String member, @Nullable String value) throws RefusedException {
        return MessageEdit.parse(new JsonObject().put(member, value).toBuffer().getBytes());
    }
}
