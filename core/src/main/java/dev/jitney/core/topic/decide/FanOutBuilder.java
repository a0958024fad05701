package dev.jitney.core.topic.decide;

import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.SharedBody;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.core.queue.decide.QueueDecider.DueMessage;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.FanOut.Copy;
import dev.jitney.core.topic.Match;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.core.topic.Subscriber;
import dev.jitney.core.topic.SubscriptionMatcher;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.Rejection;
import dev.jitney.model.TopicDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Collects the records of one decision about messages that a topic takes. */
final class FanOutBuilder {
    private static final String REASON = "DeadLetterReason";
    private static final String DESCRIPTION = "DeadLetterErrorDescription";

    /**
     * A message that a send adds to the topic.
     *
     * @param waits whether it is scheduled
     * @param id what is remembered of its id
     */
    record Accepted(IncomingMessage message, long number, boolean waits, List<Match> matches, List<Record> id) {}

    private final QueueView topic;
    private final TopicDescription description;
    private final SubscriptionMatcher matcher;
    private final Situation now;
    private final List<Record> records = new ArrayList<>();
    private final List<Copy> copies = new ArrayList<>();
    private final Map<Long, Long> lastNumbers = new HashMap<>();
    private long number;
    private long ownBytes;

    /** Whether the messages were scheduled and their time has come (STATE-9). */
    private boolean due;

    FanOutBuilder(QueueView topic, TopicDescription description, SubscriptionMatcher matcher, Situation now) {
        this.topic = topic;
        this.description = description;
        this.matcher = matcher;
        this.now = now;
        this.number = topic.lastSequenceNumber();
    }

    /** Makes rules ready while there are steps; returns whether all are. */
    boolean isReady(BooleanSupplier mayGoOn) {
        boolean ready = matcher.prepare();
        while (!ready && mayGoOn.getAsBoolean()) {
            ready = matcher.prepare();
        }
        return ready;
    }

    /** What was collected, with the answer. */
    FanOut fanOut(Reply reply) {
        return new FanOut(records, copies, reply, null);
    }

    /** Whether nothing was collected yet. */
    boolean isEmpty() {
        return records.isEmpty();
    }

    long nextNumber() {
        return ++number;
    }

    void schedule(IncomingMessage message, long number) {
        long timeToLiveMs = Admission.effectiveTimeToLive(topic, message.timeToLiveMs());
        records.add(new Record.MessageScheduled(Admission.stored(message, number, now.nowMs(), timeToLiveMs)));
    }

    /** Who wants the message that has the current number. */
    List<Match> matches(IncomingMessage message) {
        return matcher.matches(message, number, now.nowMs());
    }

    /** The same of the message at a place of a send; null if it is not known and there are no steps to find out. */
    @Nullable
    List<Match> matches(int index, IncomingMessage message, SendMatches known, BooleanSupplier mayGoOn) {
        List<Match> matches = known.of(index);
        if (matches == null && mayGoOn.getAsBoolean() && isReady(mayGoOn)) {
            matches = matches(message);
            known.put(index, message, matches);
        }
        return matches;
    }

    /** Makes the records of a send whose messages were judged; returns why it is refused, or null. */
    @Nullable
    Rejection take(List<Accepted> accepted) {
        for (Accepted one : accepted) {
            if (one.waits) {
                schedule(one.message, one.number);
            } else {
                number = one.number;
                Rejection refusal = publish(one.message, Admission.firstNumber(one.message, number), one.matches);
                if (refusal != null) {
                    return refusal;
                }
            }
            records.addAll(one.id);
        }
        return null;
    }

    /** Whether the step stays within its bounds with the copies of one more message. */
    boolean fits(IncomingMessage message, List<Match> matches) {
        return copies.size() + Match.copies(matches) <= FanOut.COPIES_MAX
                && ownBytes + Match.ownBytes(message, matches) <= FanOut.OWN_BYTES_MAX;
    }

    /** Publishes a message that waited for its time. */
    void publishDue(DueMessage scheduled, IncomingMessage message, List<Match> matches) {
        due = true;
        StoredMessage row = scheduled.message();
        records.add(new Record.ScheduledMessagePublished(row.sequenceNumber(), scheduled.dueMs(), row.sizeBytes()));
        publish(message, row.enqueuedSequenceNumber(), matches);
    }

    /** @param enqueuedNumber the first number the message ever had (SEQ-5) */
    @Nullable
    Rejection publish(IncomingMessage message, long enqueuedNumber, List<Match> matches) {
        if (description.enableFilteringMessagesBeforePublishing()) {
            Rejection refusal = refuse(matches);
            if (refusal != null) {
                return refusal;
            }
        }
        int shared = 0;
        for (Match match : matches) {
            if (!match.subscriber().state().passesOn()) {
                shared += match.copiesAsSent();
                for (ChangedCopy copy : match.changed()) {
                    shared += copy.message().content() == message.content() ? 1 : 0;
                }
            }
        }
        SharedBody body = shared < 2
                ? null
                : new SharedBody(topic.id(), number, shared, message.content().sizeBytes());
        records.add(new Record.MessagePublished(number, body == null ? null : message.content()));
        for (Match match : matches) {
            hand(match, message, enqueuedNumber, body);
        }
        ownBytes += Match.ownBytes(message, matches);
        return null;
    }

    private void hand(Match match, IncomingMessage message, long enqueuedNumber, @Nullable SharedBody sharedBody) {
        Subscriber subscriber = match.subscriber();
        Match.Failure failure = match.failure();
        // What is handed on at once is never stored here, so that there is nothing to share.
        SharedBody body = subscriber.state().passesOn() ? null : sharedBody;
        if (match.plain()) {
            copy(subscriber, message, Map.of(), enqueuedNumber, body);
        }
        for (ChangedCopy changed : match.changed()) {
            SharedBody own = changed.message().content() == message.content() ? body : null;
            copy(subscriber, changed.message(), changed.propertyOverrides(), enqueuedNumber, own);
        }
        if (failure != null && match.isDeadLettered()) { // DLQ-25: whatever the other rules say
            deadLetter(subscriber, message, Map.of(), failure.reason(), failure.description(), enqueuedNumber, body);
        }
    }

    private void copy(
            Subscriber subscriber,
            IncomingMessage message,
            Map<String, EncodedValue> overrides,
            long enqueuedNumber,
            @Nullable SharedBody body) {
        if (subscriber.description().requiresSession() && message.sessionId() == null) { // DLQ-17
            deadLetter(
                    subscriber,
                    message,
                    overrides,
                    "Session id is null.",
                    "Session enabled entity doesn't allow a message whose session identifier is null.",
                    enqueuedNumber,
                    body);
        } else if (headerBytes(message, overrides) > topic.limits().maxHeaderSizeBytes()) { // DLQ-14
            deadLetter(
                    subscriber,
                    message,
                    overrides,
                    "HeaderSizeExceeded",
                    "The size quota for this stream has been exceeded.",
                    enqueuedNumber,
                    body);
        } else if (subscriber.state().passesOn()) {
            copies.add(new Copy(subscriber, passed(subscriber, message, overrides, enqueuedNumber)));
        } else {
            StoredMessage copy = stored(subscriber, message, overrides, enqueuedNumber, body);
            copies.add(new Copy(subscriber, new Record.MessageEnqueued(copy)));
        }
    }

    private Record passed(
            Subscriber subscriber, IncomingMessage message, Map<String, EncodedValue> overrides, long enqueuedNumber) {
        MessageEnvelope envelope = message.envelope()
                .handedOn(message.hops(), enqueuedNumber, message.envelope().deadLetterSource());
        return new Record.MessagePassed(
                nextNumber(subscriber),
                now.nowMs(),
                timeToLiveMs(subscriber, message),
                message.with(envelope),
                overrides);
    }

    private long nextNumber(Subscriber subscriber) {
        long last = lastNumbers.getOrDefault(
                subscriber.entityId(), subscriber.state().lastSequenceNumber());
        lastNumbers.put(subscriber.entityId(), last + 1);
        return last + 1;
    }

    /** TTL-20, TTL-21: the smallest of message, topic and subscription. */
    private long timeToLiveMs(Subscriber subscriber, IncomingMessage message) {
        return Admission.effectiveTimeToLive(
                subscriber.state(), Admission.effectiveTimeToLive(topic, message.timeToLiveMs()));
    }

    private void deadLetter(
            Subscriber subscriber,
            IncomingMessage message,
            Map<String, EncodedValue> overrides,
            String reason,
            String text,
            long enqueuedNumber,
            @Nullable SharedBody body) {
        Map<String, EncodedValue> withReason = new LinkedHashMap<>(overrides);
        withReason.put(REASON, EncodedValue.ofString(reason));
        withReason.put(DESCRIPTION, EncodedValue.ofString(text));
        StoredMessage copy = stored(subscriber, message, withReason, enqueuedNumber, body);
        copies.add(new Copy(subscriber, new Record.CopyDeadLettered(copy)));
    }

    private StoredMessage stored(
            Subscriber subscriber,
            IncomingMessage message,
            Map<String, EncodedValue> overrides,
            long enqueuedNumber,
            @Nullable SharedBody body) {
        MessageEnvelope envelope = message.envelope().toBuilder()
                .sequenceNumber(nextNumber(subscriber))
                .enqueuedSequenceNumber(enqueuedNumber)
                .enqueuedTimeMs(now.nowMs())
                .expiresAtMs(Admission.saturatedSum(now.nowMs(), timeToLiveMs(subscriber, message)))
                .propertyOverrides(overrides)
                .wasScheduled(due || Admission.wasScheduled(message))
                .build();
        return new StoredMessage(envelope, message.content(), body);
    }

    private static long headerBytes(IncomingMessage message, Map<String, EncodedValue> overrides) {
        long bytes = message.headerSizeBytes();
        for (Map.Entry<String, EncodedValue> property : overrides.entrySet()) {
            bytes += property.getKey().length() + property.getValue().encoding().length;
        }
        return bytes;
    }

    /** FILTER-24, FILTER-25: with filtering before publishing the sender learns what is wrong. */
    private @Nullable Rejection refuse(List<Match> matches) {
        boolean wanted = false;
        for (Match match : matches) {
            Match.Failure failure = match.failure();
            if (failure != null) {
                return new Rejection(
                        ErrorCode.ARGUMENT,
                        failure.reason() + ": A rule of subscription '"
                                + match.subscriber().description().name() + "' cannot be evaluated: "
                                + failure.description());
            }
            wanted |= match.plain() || !match.changed().isEmpty();
        }
        return wanted ? null : Rejection.of(ErrorCode.NO_MATCHING_SUBSCRIPTION);
    }
}
