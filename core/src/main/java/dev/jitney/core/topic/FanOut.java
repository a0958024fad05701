package dev.jitney.core.topic;

import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command to a topic, in the topic and in its subscriptions, which is applied in one step.
 *
 * @param records the changes of the topic
 * @param copies the changes of subscriptions, in order
 * @param reply null exactly when {@code rejection} is not
 */
public record FanOut(
        List<Record> records,
        List<Copy> copies,
        @Nullable Reply reply,
        @Nullable Rejection rejection) {
    /** The maximum number of copies of all messages in one step. */
    public static final int COPIES_MAX = 250_000;

    /** The maximum of bytes that the copies of one step do not share, because actions changed them. */
    public static final long OWN_BYTES_MAX = 64L << 20;

    /** A change of one subscription. */
    public record Copy(Subscriber subscriber, Record record) {}

    public static FanOut refused(Rejection rejection) {
        return new FanOut(List.of(), List.of(), null, rejection);
    }
}
