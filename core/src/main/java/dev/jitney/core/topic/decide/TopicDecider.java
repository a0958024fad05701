package dev.jitney.core.topic.decide;

import dev.jitney.core.Command;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.duplicate.DuplicateCheck;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.Match;
import dev.jitney.core.topic.RuleTrial;
import dev.jitney.core.topic.SubscriptionMatcher;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.TopicDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on messages sent to a topic: the subscriptions that get copies, the form of the copies, and the copies
 * that go directly to a dead-letter queue. They read the state and never write it.
 */
public final class TopicDecider {
    /**
     * The maximum number of steps for rules in one decision that must evaluate all its messages at once, because it is
     * part of a transaction. Checked before each message except the first.
     */
    public static final long STEPS_MAX = 60_000_000;

    private TopicDecider() {}

    /**
     * Decides a send with all its messages at once; scheduled messages wait in the topic (SCHED-7).
     *
     * @param usedBytes the bytes that topic and subscriptions already hold (QUOTA-2)
     */
    public static FanOut send(
            QueueView topic,
            TopicDescription description,
            SubscriptionMatcher matcher,
            Command.SendMessages command,
            long usedBytes,
            Situation now) {
        while (!matcher.prepare()) {
            // compile the remaining rules, whose steps do not count for this message
        }
        long most = matcher.steps() + STEPS_MAX;
        FanOut fanOut = send(
                topic, description, matcher, command, usedBytes, now, new SendMatches(), () -> matcher.steps() <= most);
        return fanOut != null ? fanOut : FanOut.refused(tooManySteps());
    }

    /**
     * Decides a send like
     * {@link #send(QueueView, TopicDescription, SubscriptionMatcher, Command.SendMessages, long, Situation) send}.
     * Returns null if the rules need more steps than this turn has. A later call for the same send, with the same
     * {@code known}, continues. Filters use the numbers that the messages would get now.
     *
     * @param known the matches that earlier turns have found
     * @param mayGoOn returns whether there are steps for one more message
     */
    public static @Nullable FanOut send(
            QueueView topic,
            TopicDescription description,
            SubscriptionMatcher matcher,
            Command.SendMessages command,
            long usedBytes,
            Situation now,
            SendMatches known,
            BooleanSupplier mayGoOn) {
        Rejection refusal = Admission.refuse(topic, command, usedBytes, now);
        if (refusal != null) {
            return FanOut.refused(refusal);
        }
        known.refresh(matcher);
        FanOutBuilder fan = new FanOutBuilder(topic, description, matcher, now);
        long[] numbers = new long[command.messages().size()];
        List<FanOutBuilder.Accepted> accepted = new ArrayList<>(numbers.length);
        DuplicateCheck check = Admission.duplicateCheck(topic, now); // DUP-10: once, in the topic
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
            List<Match> matches = waits ? List.of() : fan.matches(i, message, known, mayGoOn);
            if (matches == null) {
                return null;
            }
            if (!known.fits()) {
                return FanOut.refused(tooMuch());
            }
            List<Record> id = new ArrayList<>(0);
            check.accept(key, numbers[i], id);
            accepted.add(new FanOutBuilder.Accepted(message, numbers[i], waits, matches, id));
        }
        refusal = fan.take(accepted);
        return refusal != null ? FanOut.refused(refusal) : fan.fanOut(new Reply.Sent(numbers, duplicates));
    }

    /**
     * Explains a send with the decisions on it, for some of the subscriptions. The effects on a scheduled message are those at its
     * scheduled time.
     *
     * @param usedBytes the bytes that topic and subscriptions already hold (QUOTA-2)
     */
    public static SendExplanation explain(
            QueueView topic,
            TopicDescription description,
            RuleTrial.Maker rules,
            Command.ExplainSend command,
            long usedBytes,
            Situation now) {
        int fragment = topic.id().fragment();
        IncomingMessage message = command.message();
        Rejection refusal = Admission.refuse(topic, new Command.SendMessages(List.of(message)), usedBytes, now);
        if (refusal != null) {
            return SendExplanation.refused(fragment, refusal);
        }
        DuplicateCheck check = Admission.duplicateCheck(topic, now);
        long first = check.firstAccepted(check.keyOf(message));
        if (first != 0) {
            return SendExplanation.duplicate(fragment, first);
        }
        long scheduledUntilMs = message.scheduledEnqueueTimeMs() > now.nowMs() ? message.scheduledEnqueueTimeMs() : 0;
        Situation then = scheduledUntilMs == 0 ? now : now.at(scheduledUntilMs);
        RuleTrial trial = rules.tryRules(
                FanOutBuilder.lowered(topic, message),
                topic.lastSequenceNumber() + 1,
                then.nowMs(),
                command.from(),
                command.subscriptionsMax());
        List<SendExplanation.OfSubscription> subscriptions =
                new ArrayList<>(trial.parts().size());
        for (RuleTrial.Part part : trial.parts()) {
            FanOutBuilder fan = new FanOutBuilder(topic, description, (any, number, time) -> List.of(), then);
            subscriptions.add(new SendExplanation.OfSubscription(
                    part.match().subscriber().description().name(),
                    part.rules(),
                    part.rulesNotShown(),
                    part.isDropped() ? List.of() : fan.explain(part, message),
                    part.isDropped()));
        }
        return new SendExplanation(
                fragment, null, 0, scheduledUntilMs, List.of(), subscriptions, trial.next(), trial.sharedSteps());
    }

    /** Returns the refusal of messages in a transaction that would take more than {@link #STEPS_MAX}. */
    public static Rejection tooManySteps() {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Expected the rules of the topic to evaluate the messages of one transaction in at most " + STEPS_MAX
                        + " steps, but they need more. Send fewer messages in the transaction.");
    }

    private static Rejection tooMuch() {
        return new Rejection(
                ErrorCode.MESSAGE_SIZE_EXCEEDED,
                "Expected a send to create at most " + FanOut.COPIES_MAX + " copies of its messages, with at most "
                        + FanOut.OWN_BYTES_MAX
                        + " bytes changed by the actions of rules, but it creates more. Send smaller"
                        + " batches.");
    }

    /**
     * Publishes due scheduled messages, to the current subscriptions with their current rules (SCHED-7). With filtering
     * before publishing, a message that matches no subscription or whose filter fails is dropped, because there is no
     * sender to inform.
     *
     * <p>A message that would make the step larger than a send can be waits for the next step. A single message is never
     * too large for its own step.
     *
     * @param countMax the maximum number of messages; another call continues
     * @param mayGoOn returns whether there are steps for one more message; the first message is always published
     */
    public static FanOut publishDue(
            QueueView topic,
            TopicDescription description,
            SubscriptionMatcher matcher,
            Situation now,
            int countMax,
            BooleanSupplier mayGoOn) {
        FanOutBuilder fan = new FanOutBuilder(topic, description, matcher, now);
        if (description.status().allowsSend() && fan.isReady(mayGoOn)) {
            for (QueueDecider.DueMessage due : QueueDecider.dueMessages(topic, now, countMax)) {
                if (!fan.isEmpty() && !mayGoOn.getAsBoolean()) {
                    break;
                }
                StoredMessage scheduled = due.message();
                IncomingMessage message = ScheduledMessages.incoming(scheduled);
                fan.nextNumber();
                List<Match> matches = fan.matches(message);
                if (!fan.isEmpty() && !fan.fits(message, matches)) {
                    break;
                }
                fan.publishDue(due, message, matches);
            }
        }
        return fan.fanOut(Reply.Done.INSTANCE);
    }
}
