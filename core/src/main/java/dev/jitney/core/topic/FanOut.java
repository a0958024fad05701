package dev.jitney.core.topic;

import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command to a topic leads to, in the topic and in its subscriptions; all of it is one step.
 *
 * @param records what happens to the topic
 * @param copies what happens to subscriptions, in order
 * @param reply null exactly when {@code rejection} is not
 */
public record FanOut(
        List<Record> records,
        List<Copy> copies,
        @Nullable Reply reply,
        @Nullable Rejection rejection) {
    /** Copies that one step may make of all its messages. */
    public static final int COPIES_MAX = 250_000;

    /** Bytes that the copies of one step may have for themselves, because actions changed them. */
    public static final long OWN_BYTES_MAX = 64L << 20;

    /** Something that happens to one subscription. */
    public record Copy(Subscriber subscriber, Record record) {}

    public static FanOut refused(Rejection rejection) {
        return new FanOut(List.of(), List.of(), null, rejection);
    }
}
