package dev.jitney.gateway.http.operator.job;

import dev.jitney.codec.ContentReader;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.operator.job.JobProgress.Canary;
import dev.jitney.gateway.http.operator.message.MessageActions;
import dev.jitney.model.ClientText;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.json.JsonObject;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the messages of a canary in the dead-letter queue from which they were resubmitted, behind the messages of the job. For the
 * event loop of the jobs.
 */
final class CanaryCheck implements ReplyListener {
    private static final int SLICE_MAX = 256;

    private final Entity entity;
    private final JobBounds behind;
    private final Canary canary;
    private final Executor executor;
    private final Set<Long> numbers = new HashSet<>();
    private final Set<String> ids = new HashSet<>();
    private int dead;
    private @Nullable MessageView sample;
    private Consumer<String> then = failure -> {};

    CanaryCheck(Entity entity, JobOrder order, JobBounds bounds, Canary canary, Executor executor) {
        this.entity = entity;
        // The two dead-letter queues have different numbers.
        this.behind = order.address().subQueue() == SubQueue.DEAD_LETTER ? bounds : new JobBounds();
        this.canary = canary;
        this.executor = executor;
        for (int i = 0; i < canary.messages().size(); i++) {
            JsonObject message = canary.messages().getJsonObject(i);
            numbers.add(Long.valueOf(message.getString("number")));
            String id = message.getString("id");
            if (id != null && !order.body().flag("newMessageId")) {
                ids.add(id);
            }
        }
        numbers.remove(0L);
    }

    /** @param then gets a sentence if the job must not continue, otherwise an empty text */
    void start(Consumer<String> then) {
        this.then = then;
        if (numbers.isEmpty() && ids.isEmpty() && !canary.messages().isEmpty()) {
            then.accept(
                    "The messages of the canary cannot be found again: they have new ids or none, and their entity is in"
                            + " another store or is a topic.");
        } else {
            scan(0);
        }
    }

    private void scan(long from) {
        long next = behind.after(from);
        entity.submit(
                new Command.SearchMessages(
                        SubQueue.DEAD_LETTER, next, EnumSet.allOf(SearchState.class), null, SLICE_MAX),
                executor,
                this);
    }

    @Override
    public void onReply(Reply reply) {
        Reply.Found slice = (Reply.Found) reply;
        for (MessageView message : slice.messages()) {
            if (!behind.covers(message.sequenceNumber()) && isOfCanary(message)) {
                dead++;
                sample = message;
            }
        }
        if (slice.next() == Reply.Found.END) {
            then.accept(verdict());
        } else {
            scan(slice.next());
        }
    }

    private boolean isOfCanary(MessageView message) {
        if (numbers.contains(message.sequenceNumber()) || numbers.contains(message.enqueuedSequenceNumber())) {
            return true;
        }
        return ids.contains(CanarySending.fingerprint(message))
                && property(message, MessageActions.RESUBMITTED) != null;
    }

    private String verdict() {
        MessageView found = sample;
        if (found == null) {
            return "";
        }
        Object reason = property(found, "DeadLetterReason");
        return dead + " of " + canary.messages().size() + " messages of the canary came back dead, such as "
                + found.sequenceNumber()
                + (reason == null ? "." : " with the reason " + ClientText.abbreviate(reason.toString()) + ".");
    }

    private static @Nullable Object property(MessageView message, String name) {
        try {
            return new ContentReader(message.content())
                    .applicationProperties(message.propertyOverrides())
                    .get(name);
        } catch (IllegalArgumentException unreadable) {
            return null;
        }
    }

    @Override
    public void onRejected(Rejection rejection) {
        then.accept("The messages of the canary were not looked for: " + rejection.description());
    }
}
