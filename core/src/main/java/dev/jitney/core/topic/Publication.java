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
public record Publication(
        List<Record> records,
        List<Copy> copies,
        @Nullable Reply reply,
        @Nullable Rejection rejection) {

    /** Something that happens to one subscription. */
    public record Copy(Subscriber subscriber, Record record) {}

    static Publication refused(Rejection rejection) {
        return new Publication(List.of(), List.of(), null, rejection);
    }
}
