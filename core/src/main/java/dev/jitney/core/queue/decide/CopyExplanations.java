package dev.jitney.core.queue.decide;

import dev.jitney.core.Record;
import dev.jitney.core.SendExplanation.Copy;
import dev.jitney.core.SendExplanation.Fate;
import dev.jitney.core.SendExplanation.Forward;
import dev.jitney.core.SendExplanation.ForwardFailure;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The records of a send that is explained, and not made, in the words of an explanation. */
public final class CopyExplanations {
    private CopyExplanations() {}

    /** Returns the copy that a record of a queue or subscription would create, or null for other records. */
    public static @Nullable Copy of(QueueView queue, Record record) {
        if (record instanceof Record.MessageEnqueued enqueued) {
            return stored(queue, enqueued.message());
        }
        if (record instanceof Record.MessagePassed passed) {
            return new Copy(
                    null,
                    Fate.STORED,
                    passed.timeToLiveMs(),
                    Admission.saturatedSum(passed.enqueuedTimeMs(), passed.timeToLiveMs()),
                    null,
                    null,
                    forward(queue, ForwardDecisions.passed(passed).message()));
        }
        return record instanceof Record.CopyDeadLettered dead ? deadLettered(dead.message()) : null;
    }

    private static Copy stored(QueueView queue, StoredMessage message) {
        QueueDescription description = queue.description();
        // Earlier messages may wait before it, or the entity is disabled. Then it is forwarded later.
        boolean forwards = description.forwardTo() != null && !description.requiresSession();
        return new Copy(
                null,
                Fate.STORED,
                timeToLiveMs(message),
                message.expiresAtMs(),
                null,
                null,
                forwards
                        ? forward(
                                queue,
                                ForwardDecisions.onItsWay(
                                        message, message.envelope().propertyOverrides(), message.deadLetterSource()))
                        : null);
    }

    private static Copy deadLettered(StoredMessage message) {
        Map<String, EncodedValue> properties = message.envelope().propertyOverrides();
        return new Copy(
                null,
                Fate.DEAD_LETTERED,
                timeToLiveMs(message),
                message.expiresAtMs(),
                text(properties.get(FailedDelivery.REASON)),
                text(properties.get(FailedDelivery.DESCRIPTION)),
                null);
    }

    private static long timeToLiveMs(StoredMessage message) {
        return message.expiresAtMs() == MessageView.NEVER
                ? MessageView.NEVER
                : message.expiresAtMs() - message.enqueuedTimeMs();
    }

    private static Forward forward(QueueView queue, IncomingMessage onItsWay) {
        Failure failure = ForwardDecisions.refusal(onItsWay, queue.limits());
        return new Forward(
                onItsWay,
                failure == null
                        ? null
                        : new ForwardFailure(
                                failure.reason(), failure.description(), failure == Failure.HEADER_TOO_LARGE));
    }

    private static @Nullable String text(@Nullable EncodedValue value) {
        return value == null ? null : ValueDecoder.decode(value).text();
    }
}
