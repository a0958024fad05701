package dev.jitney.gateway.http.operator.job;

import dev.jitney.core.SearchFilter;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.message.MessageFilter;
import dev.jitney.gateway.http.operator.message.MessageGroup;
import dev.jitney.gateway.http.operator.request.OperatorBody;
import dev.jitney.gateway.http.operator.request.OperatorOperation;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of an operator.
 *
 * @param address the queue or sub-queue
 * @param json the body of the request, as it is kept
 * @param operation what to do with each message
 * @param body the members of the operation
 * @param states the states of the messages to change
 * @param filter takes the messages to change; null takes all
 * @param group the id of the group of the messages to change; null for all groups
 * @param dryRun whether to stop after the count
 * @param perSecond the maximum of messages in a second, 0 for none
 * @param canaryMessages the number of messages to change before the pause, 0 for none
 * @param canarySeconds the length of that pause
 */
record JobOrder(
        EntityAddress address,
        String json,
        OperatorOperation operation,
        OperatorBody body,
        Set<SearchState> states,
        @Nullable SearchFilter filter,
        @Nullable String group,
        boolean dryRun,
        long perSecond,
        int canaryMessages,
        long canarySeconds) {

    private static final long CANARY_SECONDS = 30;

    /**
     * Reads an order.
     *
     * @throws RefusedException with 400 if a member is wrong
     */
    static JobOrder of(EntityAddress address, Buffer json) throws RefusedException {
        OperatorBody body = OperatorBody.of(json, OperatorOperation.NEW_JOB.members());
        OperatorOperation operation = OperatorOperation.onMessages(String.valueOf(body.text("operation")));
        for (String member : List.of("reason", "description", "target", "to", "newMessageId", "scheduledEnqueueTime")) {
            boolean has =
                    operation.members().stream().anyMatch(known -> known.name().equals(member));
            if (body.has(member) && !has) {
                throw refused("The operation '" + body.text("operation") + "' has no member '" + member + "'.");
            }
        }
        OperatorBody members = body.only(operation.members());
        long canary = body.number("canaryMessages", 0);
        if (canary > 0 && operation != OperatorOperation.RESUBMIT) {
            throw refused(
                    "A canary is for the operation 'resubmit' only, because it looks for messages that came back dead.");
        }
        if (canary == 0 && body.has("canarySeconds")) {
            throw refused("Expected 'canaryMessages' beside 'canarySeconds'.");
        }
        return new JobOrder(
                address,
                json.toString(),
                operation,
                members,
                states(body.text("state"), operation),
                MessageFilter.compiled(body.text("filter")),
                MessageGroup.id(body.text("group")),
                body.flag("dryRun"),
                body.number("messagesPerSecond", 0),
                (int) canary,
                body.number("canarySeconds", CANARY_SECONDS));
    }

    private static Set<SearchState> states(@Nullable String text, OperatorOperation operation) throws RefusedException {
        if (text == null) {
            return switch (operation) {
                case DELIVER_NOW, RESCHEDULE -> EnumSet.of(SearchState.SCHEDULED);
                case UNLOCK -> EnumSet.of(SearchState.LOCKED);
                default -> EnumSet.of(SearchState.ACTIVE);
            };
        }
        Set<SearchState> states = EnumSet.noneOf(SearchState.class);
        for (String word : text.split(",", -1)) {
            states.add(Arrays.stream(SearchState.values())
                    .filter(state -> state.name().toLowerCase(Locale.ROOT).equals(word.strip()))
                    .findFirst()
                    .orElseThrow(
                            () -> refused("Expected some of [active, locked, deferred, scheduled] with commas between"
                                    + " them in 'state', but got '" + word + "'.")));
        }
        return states;
    }

    private static RefusedException refused(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }

    /**
     * Returns whether the job deletes all active messages of a queue, and perhaps others. Dead letters are deleted one by one, because
     * their times do not show which of them arrived after the count.
     */
    boolean deletesAll() {
        return operation == OperatorOperation.DELETE
                && address.subQueue() == SubQueue.MAIN
                && filter == null
                && group == null
                && states.contains(SearchState.ACTIVE);
    }

    /** Returns whether a message that the search has found is to be changed. */
    boolean takes(MessageView message) {
        return MessageGroup.has(group, message);
    }

    /** Returns whether a message stays after the change, so that a repetition changes it again. */
    boolean keepsMessages() {
        return operation == OperatorOperation.COPY;
    }

    /** Returns the path of the queue or sub-queue. */
    String path() {
        return address.path() + address.subQueue().suffix();
    }
}
