package dev.jitney.core.topic.decide;

import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.SharedBody;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.core.queue.decide.CopyExplanations;
import dev.jitney.core.queue.decide.QueueDecider.DueMessage;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.FanOut.Copy;
import dev.jitney.core.topic.Match;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.core.topic.RuleTrial;
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

/** A builder of the records of one decision about messages that a topic accepts. */
final class FanOutBuilder {
    private static final String REASON = "DeadLetterReason";
    private static final String DESCRIPTION = "DeadLetterErrorDescription";

    /**
     * A message that a send adds to the topic.
     *
     * @param waits whether it is scheduled
     * @param id the records for its message id
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

    /** True if the messages were scheduled and are due (STATE-9). */
    private boolean due;

    FanOutBuilder(QueueView topic, TopicDescription description, SubscriptionMatcher matcher, Situation now) {
        this.topic = topic;
        this.description = description;
        this.matcher = matcher;
        this.now = now;
        this.number = topic.lastSequenceNumber();
    }

    /** Compiles rules while there are steps; returns whether all are compiled. */
    boolean isReady(BooleanSupplier mayGoOn) {
        boolean ready = matcher.prepare();
        while (!ready && mayGoOn.getAsBoolean()) {
            ready = matcher.prepare();
        }
        return ready;
    }

    /** Returns the collected records with the reply. */
    FanOut fanOut(Reply reply) {
        return new FanOut(records, copies, reply, null);
    }

    /** Returns whether no records were collected yet. */
    boolean isEmpty() {
        return records.isEmpty();
    }

    long nextNumber() {
        return ++number;
    }

    void schedule(IncomingMessage message, long number) {
        records.add(new Record.MessageScheduled(Admission.scheduled(message, number, now.nowMs())));
    }

    /** Returns the subscriptions that match the message with the current number. */
    List<Match> matches(IncomingMessage message) {
        return matcher.matches(lowered(topic, message), number, now.nowMs());
    }

    /** Returns the message with the time to live that the topic allows, which its rules see (TTL-15, FILTER-6). */
    static IncomingMessage lowered(QueueView topic, IncomingMessage message) {
        long timeToLiveMs = Admission.effectiveTimeToLive(topic, message.timeToLiveMs());
        return timeToLiveMs == message.timeToLiveMs()
                ? message
                : message.toBuilder().timeToLiveMs(timeToLiveMs).build();
    }

    /**
     * Returns the matches of a message of a send by its index; null if they are not known and there are no steps to find
     * them.
     */
    @Nullable
    List<Match> matches(int index, IncomingMessage message, SendMatches known, BooleanSupplier mayGoOn) {
        List<Match> matches = known.of(index);
        if (matches == null && mayGoOn.getAsBoolean() && isReady(mayGoOn)) {
            matches = matches(message);
            known.put(index, message, matches);
        }
        return matches;
    }

    /** Adds the records of a send whose messages were checked; returns the reason for a refusal, or null. */
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

    /** Returns whether the step stays within its limits with the copies of one more message. */
    boolean fits(IncomingMessage message, List<Match> matches) {
        return copies.size() + Match.copies(matches) <= FanOut.COPIES_MAX
                && ownBytes + Match.ownBytes(message, matches) <= FanOut.OWN_BYTES_MAX;
    }

    /** Publishes a scheduled message that is due. */
    void publishDue(DueMessage scheduled, IncomingMessage message, List<Match> matches) {
        due = true;
        StoredMessage row = scheduled.message();
        records.add(new Record.ScheduledMessagePublished(row.sequenceNumber(), scheduled.dueMs(), row.sizeBytes()));
        publish(message, row.enqueuedSequenceNumber(), matches);
    }

    /**
     * Publishes a message.
     *
     * @param enqueuedNumber the first number of the message in any entity (SEQ-5)
     */
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
                for (ChangedCopy copy : match.changedCopies()) {
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

    /** Returns the copies of a message for a subscription, as {@link #publish} would create them. */
    List<SendExplanation.Copy> explain(RuleTrial.Part part, IncomingMessage message) {
        Match match = part.match();
        hand(match, message, Admission.firstNumber(message, nextNumber()), null);
        List<SendExplanation.Copy> explained = new ArrayList<>(copies.size());
        int changed = match.plain() ? 1 : 0; // the copies of actions follow the unchanged one
        for (int i = 0; i < copies.size(); i++) {
            SendExplanation.Copy copy = CopyExplanations.of(
                    match.subscriber().state(), copies.get(i).record());
            if (copy != null) {
                int place = i - changed;
                boolean ofAction = place >= 0 && place < part.changedBy().size();
                explained.add(ofAction ? copy.of(part.changedBy().get(place)) : copy);
            }
        }
        return explained;
    }

    private void hand(Match match, IncomingMessage message, long enqueuedNumber, @Nullable SharedBody sharedBody) {
        if (match.isDropped()) {
            return;
        }
        Subscriber subscriber = match.subscriber();
        Match.Failure failure = match.failure();
        // A copy that is forwarded immediately is not stored here, so it shares no body.
        SharedBody body = subscriber.state().passesOn() ? null : sharedBody;
        if (match.plain()) {
            copy(subscriber, message, Map.of(), enqueuedNumber, body);
        }
        for (ChangedCopy changed : match.changed()) {
            SharedBody own = changed.message().content() == message.content() ? body : null;
            copy(subscriber, changed.message(), changed.propertyOverrides(), enqueuedNumber, own);
        }
        if (failure != null && match.isDeadLettered()) { // DLQ-25: beside the copies of other rules
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

    /** Returns the smallest time to live of message, topic and subscription (TTL-20, TTL-21). */
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

    /**
     * Returns the refusal of a send with filtering before publishing, which reports the failure of a filter to the sender
     * (FILTER-24, FILTER-25).
     */
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
