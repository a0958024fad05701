package dev.jitney.core.topic;

import dev.jitney.core.Command;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.SharedBody;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.duplicate.DuplicateCheck;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.topic.Interest.ChangedCopy;
import dev.jitney.core.topic.Publication.Copy;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Journey;
import dev.jitney.model.Rejection;
import dev.jitney.model.TopicDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of messages sent to a topic: which subscriptions get copies, in what form, and which copies go to a
 * dead-letter queue at once. Reads, never writes.
 */
public final class TopicDecider {
    /** Copies that one step may make of all its messages. */
    static final int COPIES_MAX = 250_000;

    /**
     * Steps that rules may take in one decision that has to judge all its messages at once, because it is part of a
     * transaction; looked at before each message but the first.
     */
    public static final long STEPS_MAX = 60_000_000;

    /** Bytes that the copies of one step may have for themselves, because actions changed them. */
    static final long OWN_BYTES_MAX = 64L << 20;

    private static final String REASON = "DeadLetterReason";
    private static final String DESCRIPTION = "DeadLetterErrorDescription";

    private TopicDecider() {}

    /**
     * What a send leads to, all of it judged at once; scheduled messages wait in the topic (SCHED-7).
     *
     * @param usedBytes what topic and subscriptions hold already (QUOTA-2)
     */
    public static Publication send(
            QueueView topic,
            TopicDescription description,
            Audience audience,
            Command.SendMessages command,
            long usedBytes,
            Situation now) {
        while (!audience.prepare()) {
            // the rules that are left: they are no work of this message's
        }
        long most = audience.steps() + STEPS_MAX;
        Publication publication = send(
                topic,
                description,
                audience,
                command,
                usedBytes,
                now,
                new SendInterests(),
                () -> audience.steps() <= most);
        return publication != null ? publication : Publication.refused(tooManySteps());
    }

    /**
     * What a send leads to, as {@link #send(QueueView, TopicDescription, Audience, Command.SendMessages, long, Situation)
     * send} says, or null if the rules need more steps than there are in this turn. Deciding the same send again, with
     * {@code known} as it is then, continues. Filters see the numbers that the messages would get now.
     *
     * @param known who wants the messages, as far as earlier turns have found out
     * @param mayGoOn whether there are steps for one more message
     */
    public static @Nullable Publication send(
            QueueView topic,
            TopicDescription description,
            Audience audience,
            Command.SendMessages command,
            long usedBytes,
            Situation now,
            SendInterests known,
            BooleanSupplier mayGoOn) {
        Rejection refusal = Admission.refuse(topic, command, usedBytes, now);
        if (refusal != null) {
            return Publication.refused(refusal);
        }
        known.refresh(audience);
        Fan fan = new Fan(topic, description, audience, now);
        long[] numbers = new long[command.messages().size()];
        List<Accepted> accepted = new ArrayList<>(numbers.length);
        DuplicateCheck check = Admission.duplicateCheck(topic, now); // DUP-10: once, here
        List<Integer> duplicates = new ArrayList<>(0);
        for (int i = 0; i < numbers.length; i++) {
            IncomingMessage message = command.messages().get(i);
            if (message.ping()) {
                continue; // PAIR-32: acknowledged, never stored
            }
            DuplicateKey key = check.keyOf(message);
            numbers[i] = check.firstAccepted(key);
            if (numbers[i] != 0) {
                duplicates.add(i); // T-3
                continue;
            }
            long reserved = command.reservedNumber(i);
            numbers[i] = reserved != 0 ? reserved : fan.nextNumber();
            boolean waits = reserved != 0 || message.scheduledEnqueueTimeMs() > now.nowMs();
            List<Interest> interests = waits ? List.of() : fan.interests(i, message, known, mayGoOn);
            if (interests == null) {
                return null;
            }
            if (!known.fits()) {
                return Publication.refused(tooMuch());
            }
            List<Record> id = new ArrayList<>(0);
            check.accept(key, numbers[i], id);
            accepted.add(new Accepted(message, numbers[i], waits, interests, id));
        }
        refusal = fan.take(accepted);
        return refusal != null
                ? Publication.refused(refusal)
                : new Publication(fan.records, fan.copies, new Reply.Sent(numbers, duplicates), null);
    }

    /**
     * A message that a send adds to the topic.
     *
     * @param waits whether it is scheduled
     * @param id what is remembered of its id
     */
    private record Accepted(
            IncomingMessage message, long number, boolean waits, List<Interest> interests, List<Record> id) {}

    /** The refusal of messages in a transaction that would take more than {@link #STEPS_MAX}. */
    public static Rejection tooManySteps() {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Expected messages in one transaction that the rules of the topic judge in at most " + STEPS_MAX
                        + " steps, but they need more. Send fewer messages in the transaction.");
    }

    private static Rejection tooMuch() {
        return new Rejection(
                ErrorCode.MESSAGE_SIZE_EXCEEDED,
                "Expected a send that makes at most " + COPIES_MAX + " copies of its messages, with at most "
                        + OWN_BYTES_MAX + " bytes that actions of rules have changed, but it makes more. Send smaller"
                        + " batches.");
    }

    /**
     * Publishes scheduled messages whose time has come, to the subscriptions and rules of now (SCHED-7). With filtering
     * before publishing, one that nobody wants or whose filter fails is dropped: there is no sender to tell any more.
     *
     * <p>Messages that would make the step larger than a send may be wait for the next one; a message is never too large
     * for a step of its own.
     *
     * @param countMax how many at most; deciding again continues
     * @param mayGoOn whether there are steps for one more message; the first one is published all the same
     */
    public static Publication publishDue(
            QueueView topic,
            TopicDescription description,
            Audience audience,
            Situation now,
            int countMax,
            BooleanSupplier mayGoOn) {
        Fan fan = new Fan(topic, description, audience, now);
        if (description.status().allowsSend() && isReady(audience, mayGoOn)) {
            for (QueueDecider.DueMessage due : QueueDecider.dueMessages(topic, now, countMax)) {
                if (!fan.records.isEmpty() && !mayGoOn.getAsBoolean()) {
                    break;
                }
                StoredMessage scheduled = due.message();
                IncomingMessage message = ScheduledMessages.incoming(scheduled);
                fan.nextNumber();
                List<Interest> interests = fan.interests(message);
                if (!fan.records.isEmpty() && !fan.fits(message, interests)) {
                    break;
                }
                fan.due = true;
                fan.records.add(new Record.ScheduledMessagePublished(
                        scheduled.sequenceNumber(), due.dueMs(), scheduled.sizeBytes()));
                fan.publish(message, scheduled.enqueuedSequenceNumber(), interests);
            }
        }
        return new Publication(fan.records, fan.copies, Reply.Done.INSTANCE, null);
    }

    /** Makes rules ready while there are steps; returns whether all are. */
    private static boolean isReady(Audience audience, BooleanSupplier mayGoOn) {
        boolean ready = audience.prepare();
        while (!ready && mayGoOn.getAsBoolean()) {
            ready = audience.prepare();
        }
        return ready;
    }

    /** Collects the records of one decision. */
    private static final class Fan {
        private final QueueView topic;
        private final TopicDescription description;
        private final Audience audience;
        private final Situation now;
        private final List<Record> records = new ArrayList<>();
        private final List<Copy> copies = new ArrayList<>();
        private final Map<Long, Long> lastNumbers = new HashMap<>();
        private long number;
        private long ownBytes;

        /** Whether the messages were scheduled and their time has come (STATE-9). */
        private boolean due;

        Fan(QueueView topic, TopicDescription description, Audience audience, Situation now) {
            this.topic = topic;
            this.description = description;
            this.audience = audience;
            this.now = now;
            this.number = topic.lastSequenceNumber();
        }

        long nextNumber() {
            return ++number;
        }

        void schedule(IncomingMessage message, long number) {
            long timeToLiveMs = Admission.effectiveTimeToLive(topic, message.timeToLiveMs());
            records.add(new Record.MessageScheduled(Admission.stored(message, number, now.nowMs(), timeToLiveMs)));
        }

        /** Who wants the message that has the current number. */
        List<Interest> interests(IncomingMessage message) {
            return audience.interests(message, number, now.nowMs());
        }

        /** The same of the message at a place of a send; null if it is not known and there are no steps to find out. */
        @Nullable
        List<Interest> interests(int index, IncomingMessage message, SendInterests known, BooleanSupplier mayGoOn) {
            List<Interest> interests = known.of(index);
            if (interests == null && mayGoOn.getAsBoolean() && isReady(audience, mayGoOn)) {
                interests = interests(message);
                known.put(index, message, interests);
            }
            return interests;
        }

        /** Makes the records of a send whose messages were judged; returns why it is refused, or null. */
        @Nullable
        Rejection take(List<Accepted> accepted) {
            for (Accepted one : accepted) {
                if (one.waits) {
                    schedule(one.message, one.number);
                } else {
                    number = one.number;
                    Rejection refusal = publish(one.message, Admission.firstNumber(one.message, number), one.interests);
                    if (refusal != null) {
                        return refusal;
                    }
                }
                records.addAll(one.id);
            }
            return null;
        }

        /** Whether the step stays within its bounds with the copies of one more message. */
        boolean fits(IncomingMessage message, List<Interest> interests) {
            return copies.size() + Interest.copies(interests) <= COPIES_MAX
                    && ownBytes + Interest.ownBytes(message, interests) <= OWN_BYTES_MAX;
        }

        /** @param enqueuedNumber the first number the message ever had (SEQ-5) */
        @Nullable
        Rejection publish(IncomingMessage message, long enqueuedNumber, List<Interest> interests) {
            if (description.enableFilteringMessagesBeforePublishing()) {
                Rejection refusal = refuse(interests);
                if (refusal != null) {
                    return refusal;
                }
            }
            int shared = 0;
            for (Interest interest : interests) {
                if (!interest.subscriber().state().passesOn()) {
                    shared += interest.copiesAsSent();
                    for (ChangedCopy copy : interest.changed()) {
                        shared += copy.message().content() == message.content() ? 1 : 0;
                    }
                }
            }
            SharedBody body = shared < 2
                    ? null
                    : new SharedBody(
                            topic.id(), number, shared, message.content().sizeBytes());
            records.add(new Record.MessagePublished(number, body == null ? null : message.content()));
            for (Interest interest : interests) {
                hand(interest, message, enqueuedNumber, body);
            }
            ownBytes += Interest.ownBytes(message, interests);
            return null;
        }

        private void hand(
                Interest interest, IncomingMessage message, long enqueuedNumber, @Nullable SharedBody sharedBody) {
            Subscriber subscriber = interest.subscriber();
            Interest.Failure failure = interest.failure();
            // What is handed on at once is never stored here, so that there is nothing to share.
            SharedBody body = subscriber.state().passesOn() ? null : sharedBody;
            if (interest.plain()) {
                copy(subscriber, message, Map.of(), enqueuedNumber, body);
            }
            for (ChangedCopy changed : interest.changed()) {
                SharedBody own = changed.message().content() == message.content() ? body : null;
                copy(subscriber, changed.message(), changed.propertyOverrides(), enqueuedNumber, own);
            }
            if (failure != null && interest.isDeadLettered()) { // DLQ-25: whatever the other rules say
                deadLetter(
                        subscriber, message, Map.of(), failure.reason(), failure.description(), enqueuedNumber, body);
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
                Subscriber subscriber,
                IncomingMessage message,
                Map<String, EncodedValue> overrides,
                long enqueuedNumber) {
            Journey before = message.journey();
            Journey journey =
                    new Journey(message.hops(), enqueuedNumber, before == null ? null : before.deadLetterSource());
            return new Record.MessagePassed(
                    nextNumber(subscriber),
                    now.nowMs(),
                    timeToLiveMs(subscriber, message),
                    message.withJourney(journey),
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
            Journey journey = message.journey();
            return new StoredMessage(
                    nextNumber(subscriber),
                    enqueuedNumber,
                    now.nowMs(),
                    Admission.saturatedSum(now.nowMs(), timeToLiveMs(subscriber, message)),
                    message.scheduledEnqueueTimeMs(),
                    0,
                    message.sessionId(),
                    journey == null ? null : journey.deadLetterSource(),
                    overrides,
                    message.content(),
                    body,
                    message.hops(),
                    due || Admission.wasScheduled(message));
        }

        private static long headerBytes(IncomingMessage message, Map<String, EncodedValue> overrides) {
            long bytes = message.headerSizeBytes();
            for (Map.Entry<String, EncodedValue> property : overrides.entrySet()) {
                bytes += property.getKey().length() + property.getValue().encoding().length;
            }
            return bytes;
        }

        /** FILTER-24, FILTER-25: with filtering before publishing the sender learns what is wrong. */
        private @Nullable Rejection refuse(List<Interest> interests) {
            boolean wanted = false;
            for (Interest interest : interests) {
                Interest.Failure failure = interest.failure();
                if (failure != null) {
                    return new Rejection(
                            ErrorCode.ARGUMENT,
                            failure.reason() + ": A rule of subscription '"
                                    + interest.subscriber().description().name() + "' cannot be evaluated: "
                                    + failure.description());
                }
                wanted |= interest.plain() || !interest.changed().isEmpty();
            }
            return wanted ? null : Rejection.of(ErrorCode.NO_MATCHING_SUBSCRIPTION);
        }
    }
}
