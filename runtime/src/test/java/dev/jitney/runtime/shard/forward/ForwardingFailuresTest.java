package dev.jitney.runtime.shard.forward;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Forwarding (semantics chapter 9): messages that cannot be forwarded, and dead-letters")
class ForwardingFailuresTest extends ForwardingScenario {
    private static String reason(MessageView message) {
        return property(message, "DeadLetterReason");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "SCN-6, DLQ-18, DLQ-29: the fifth transfer is not made; the message is in the TDLQ of the fifth source")
    void tooManyHops(int stores) throws StoreException {
        open(stores);
        List<Entity> chain = chain(6);

        send(chain.get(0), "a");

        assertThat(f.counts(chain.get(5)).total()).isZero();
        Entity last = chain.get(4);
        MessageCounts counts = f.counts(last);
        assertThat(counts.transferDeadLetter()).isEqualTo(1);
        assertThat(counts.active()).isZero();
        MessageView dead = only(last, SubQueue.TRANSFER_DEAD_LETTER);
        assertThat(reason(dead)).isEqualTo("MaxTransferHopCountExceeded");
        assertThat(property(dead, "DeadLetterErrorDescription"))
                .isEqualTo("The maximum number of allowed hops when forwarding between queues. Value is set to 4.");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-5: a forwarding loop ends after four transfers")
    void circle(int stores) throws StoreException {
        open(stores);
        Entity a = queue();
        Entity b = forwarding(a);
        update(describe(a).forwardTo(b.path()).build());

        send(a, "x");

        assertThat(f.counts(a).transferDeadLetter() + f.counts(b).transferDeadLetter())
                .isEqualTo(1);
        assertThat(f.counts(a).transferDeadLetter()).isEqualTo(1);
        assertThat(f.counts(a).active() + f.counts(b).active()).isZero();
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("DLQ-30, T-6: a disabled or deleted destination: TDLQ, with the same number, time and count")
    void destinationGone(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = forwarding(to);
        for (EntityStatus status : List.of(EntityStatus.DISABLED, EntityStatus.SEND_DISABLED)) {
            update(describe(to).status(status).build());
            send(from, status.toString());
        }
        settled(f.namespace().deleteEntity(to.path()));
        send(from, "deleted");

        assertThat(f.counts(from).transferDeadLetter()).isEqualTo(3);
        assertThat(f.counts(from).active()).isZero();
        assertThat(f.counts(from).transfer()).isZero();
        List<MessageView> dead = peekAll(from, SubQueue.TRANSFER_DEAD_LETTER);
        assertThat(dead)
                .extracting(ForwardingFailuresTest::reason)
                .containsExactly(
                        "MessagingEntityDisabledException",
                        "MessagingEntityDisabledException",
                        "MessagingEntityNotFoundException");
        assertThat(dead).extracting(MessageView::sequenceNumber).containsExactly(1L, 2L, 3L);
        f.create(to.path());
        send(from, "again");
        assertThat(peek(f.entity(to.path()))).containsExactly("again");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("DLQ-31: a full destination: TDLQ with QuotaExceeded")
    void destinationFull(int stores) throws StoreException {
        open(stores);
        Entity to =
                f.create(QueueDescription.named(name("d")).maxSizeInMegabytes(1).build());
        Entity from = forwarding(to);
        fill(to);

        send(from, "late");

        assertThat(reason(only(from, SubQueue.TRANSFER_DEAD_LETTER))).isEqualTo("QuotaExceededException");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("DLQ-32: transfer.failureTarget=DLQ: failures go to the DLQ, a full destination is retried")
    void failuresToTheDeadLetterQueue(int stores) throws StoreException {
        open(stores, TransferFailureTarget.DLQ);
        Entity to =
                f.create(QueueDescription.named(name("d")).maxSizeInMegabytes(1).build());
        Entity from = forwarding(to);
        fill(to);
        send(from, "late");
        assertThat(f.counts(from).transfer()).isEqualTo(1);
        assertThat(f.counts(from).transferDeadLetter()).isZero();
        Listening listening = attach(to, SubQueue.MAIN);
        listening.messages.forEach(m -> done(to, new Command.CompleteMessages(List.of(token(m)))));
        f.nowMs += 60_000;
        f.settle();
        assertThat(f.counts(from).transfer()).isZero();
        assertThat(body(listening.messages.get(listening.messages.size() - 1))).isEqualTo("late");

        update(describe(to).status(EntityStatus.DISABLED).build());
        send(from, "disabled");
        assertThat(f.counts(from).transferDeadLetter()).isZero();
        assertThat(f.counts(from).deadLetter()).isEqualTo(1);
        assertThat(reason(only(from, SubQueue.DEAD_LETTER))).isEqualTo("MessagingEntityDisabledException");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-6: a destination with sessions refuses messages without one")
    void sessionless(int stores) throws StoreException {
        open(stores);
        Entity to =
                f.create(QueueDescription.named(name("s")).requiresSession(true).build());
        Entity from = forwarding(to);

        send(from, "a");

        assertThat(reason(only(from, SubQueue.TRANSFER_DEAD_LETTER))).isEqualTo("InvalidOperationException");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "FWD-15: a source disabled for receiving keeps its messages until it is enabled; disabled sending has no effect")
    void paused(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = forwarding(to);
        update(describe(from).status(EntityStatus.RECEIVE_DISABLED).build());
        send(from, "a", "b");
        assertThat(f.counts(from).active()).isEqualTo(2);
        update(describe(from).status(EntityStatus.DISABLED).build());
        assertThat(peek(to)).isEmpty();

        update(describe(from).status(EntityStatus.SEND_DISABLED).build());

        assertThat(peek(to)).containsExactly("a", "b");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-11, DLQ-38: dead-letters are forwarded with their reason and their source")
    void deadLetters(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = f.create(QueueDescription.named(name("q"))
                .forwardDeadLetteredMessagesTo(to.path())
                .build());
        send(from, "a");
        Listening listening = attach(from, SubQueue.MAIN);
        done(
                from,
                new Command.DeadLetterMessages(
                        List.of(token(listening.messages.get(0))), "poison", "cannot", Map.of()));

        MessageView there = only(to, SubQueue.MAIN);
        assertThat(there.deadLetterSource()).isEqualTo(from.path());
        assertThat(property(there, "DeadLetterReason")).isEqualTo("poison");
        assertThat(property(there, "DeadLetterErrorDescription")).isEqualTo("cannot");
        assertThat(there.enqueuedSequenceNumber()).isEqualTo(1);
        assertThat(f.counts(from).total()).isZero();
        assertThat(attach(from, SubQueue.DEAD_LETTER).attached.rejection().code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        send(from, "main queue stays open");
        assertThat(listening.messages).hasSize(2);
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "QUOTA-5, FWD-11: a dead-letter is forwarded even if its reason makes it larger than a message to send")
    void largeDeadLetter(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = f.create(QueueDescription.named(name("q"))
                .forwardDeadLetteredMessagesTo(to.path())
                .build());
        send(from, "x".repeat(255 * 1_024));
        MessageView large = attach(from, SubQueue.MAIN).messages.get(0);
        done(from, new Command.DeadLetterMessages(List.of(token(large)), "poison", "y".repeat(4_000), Map.of()));

        assertThat(only(to, SubQueue.MAIN).deadLetterSource()).isEqualTo(from.path());
        assertThat(f.counts(from).total()).isZero();
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-12: dead-letters that the destination refuses stay unchanged, and are retried")
    void deadLettersWait(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        update(describe(to).status(EntityStatus.DISABLED).build());
        Entity from = f.create(QueueDescription.named(name("q"))
                .forwardDeadLetteredMessagesTo(to.path())
                .build());
        send(from, "a", "b");
        Listening listening = attach(from, SubQueue.MAIN);
        long enqueuedMs = f.nowMs;
        for (MessageView m : listening.messages) {
            done(from, new Command.DeadLetterMessages(List.of(token(m)), "poison", null, Map.of()));
        }
        for (int i = 0; i < 5; i++) {
            f.nowMs += 40_000;
            f.settle();
        }
        assertThat(f.counts(from).deadLetter()).isEqualTo(2);
        assertThat(f.counts(from).transfer() + f.counts(from).transferDeadLetter())
                .isZero();
        MessageView kept = peekAll(from, SubQueue.DEAD_LETTER).get(0);
        assertThat(kept.sequenceNumber()).isEqualTo(1);
        assertThat(kept.enqueuedTimeMs()).isEqualTo(enqueuedMs);
        assertThat(kept.deadLetterSource()).isNull();
        assertThat(reason(kept)).isEqualTo("poison");

        update(describe(to).status(EntityStatus.ACTIVE).build());
        f.nowMs += 40_000;
        f.settle();

        assertThat(peek(to)).containsExactly("a", "b");
        assertThat(f.counts(from).total()).isZero();
    }

    /** Dead-letters all messages of the queue, in order. */
    private void dieAll(Entity queue) {
        Listening listening = attach(queue, SubQueue.MAIN);
        for (int i = 0; i < listening.messages.size(); i++) {
            done(queue, new Command.DeadLetterMessages(List.of(token(listening.messages.get(i))), "x", null, Map.of()));
            listening.receiver.setCredit(i + 11, false);
            f.settle();
        }
        listening.receiver.detach();
        f.settle();
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-12: a dead-letter that the destination refuses stays, and those behind it are forwarded")
    void deadLettersGoOnBehindOne(int stores) throws StoreException {
        open(stores);
        Entity to =
                f.create(QueueDescription.named(name("s")).requiresSession(true).build());
        Entity from = f.create(QueueDescription.named(name("q"))
                .forwardDeadLetteredMessagesTo(to.path())
                .build());
        send(from, "no session");
        sendOfSession(from, "first");
        send(from, "none either");
        sendOfSession(from, "second");
        dieAll(from);

        assertThat(peek(to)).containsExactly("first", "second");
        assertThat(bodiesOf(peekAll(from, SubQueue.DEAD_LETTER))).containsExactly("no session", "none either");
        for (int i = 0; i < 5; i++) {
            f.nowMs += 40_000;
            f.settle();
        }
        assertThat(bodiesOf(peekAll(from, SubQueue.DEAD_LETTER))).containsExactly("no session", "none either");
        assertThat(f.counts(from).transferDeadLetter() + f.counts(from).transfer())
                .as("not forwarded twice")
                .isZero();
        sendOfSession(from, "third");
        dieAll(from);
        assertThat(peek(to)).containsExactly("first", "second", "third");

        update(describe(from).forwardDeadLetteredMessagesTo(null).build());
        Listening letters = attach(from, SubQueue.DEAD_LETTER);
        assertThat(bodiesOf(letters.messages))
                .as("dead-letters that stayed can be received")
                .containsExactly("no session", "none either");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-12: a refused dead-letter is retried automatically, without a change of the source")
    void passedByIsTriedAgain(int stores) throws StoreException {
        open(stores);
        Entity to = f.create(
                QueueDescription.named("to" + name("q")).requiresSession(true).build());
        Entity from = f.create(QueueDescription.named(name("q"))
                .forwardDeadLetteredMessagesTo(to.path())
                .build());
        send(from, "a");
        sendOfSession(from, "b");
        send(from, "c");
        dieAll(from);
        assertThat(f.counts(from).deadLetter()).isEqualTo(2);

        settled(f.namespace().deleteEntity(to.path()));
        Entity anew = f.create(to.path());
        f.nowMs += 40_000;
        f.settle();
        f.nowMs += 40_000;
        f.settle();

        assertThat(peek(anew)).containsExactly("a", "c");
        assertThat(f.counts(from).total()).isZero();
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "FWD-12: thousands of refused dead-letters use no memory and delay no others; a restart finds all of them")
    void thousandsStay(int stores) throws StoreException {
        open(stores);
        Entity to =
                f.create(QueueDescription.named(name("s")).requiresSession(true).build());
        Entity from = f.create(QueueDescription.named(name("q"))
                .forwardDeadLetteredMessagesTo(to.path())
                .defaultMessageTimeToLiveMs(1_000)
                .deadLetteringOnMessageExpiration(true)
                .build());
        for (int i = 0; i < 50; i++) {
            String[] bodies = new String[200];
            Arrays.fill(bodies, "x");
            send(from, bodies);
        }
        f.nowMs += 2_000;
        attach(from, SubQueue.MAIN).receiver.detach();
        f.settle();
        assertThat(f.counts(from).deadLetter()).isEqualTo(10_000);
        f.nowMs += 60_000;
        f.settle();
        sendOfSession(from, "behind");
        f.nowMs += 2_000;
        attach(from, SubQueue.MAIN).receiver.detach();
        f.settle();
        assertThat(peek(to)).containsExactly("behind");
        assertThat(f.counts(from).deadLetter()).isEqualTo(10_000);

        update(describe(from).forwardDeadLetteredMessagesTo(null).build());
        Listening letters = attach(from, SubQueue.DEAD_LETTER);
        assertThat(letters.messages.get(0).sequenceNumber()).isEqualTo(1);
    }

    private void sendOfSession(Entity entity, String body) {
        IncomingMessage plain = message(body);
        IncomingMessage ofSession = IncomingMessage.of(plain.content())
                .timeToLiveMs(plain.timeToLiveMs())
                .sizes(plain.encodedSizeBytes(), 0, 0)
                .sent("s", 0)
                .build();
        done(entity, new Command.SendMessages(List.of(ofSession)));
    }

    private static List<String> bodiesOf(List<MessageView> messages) {
        return messages.stream().map(ForwardingScenario::body).toList();
    }

    @Test
    @DisplayName(
            "FWD-16, T-4: while the destination's store does not work, messages wait in the outbox and are counted")
    void waits() throws StoreException {
        open(2);
        Entity to = queue();
        Entity from = forwarding(to);
        f.stores.get(0).failNextCommit(Reason.IO, false);
        f.stores.get(0).refuseReopens(3);
        send(from, "a", "b", "c");
        assertThat(f.counts(from).transfer()).isEqualTo(3);
        assertThat(f.counts(from).active()).isZero();
        f.letPass(60_000);
        assertThat(f.counts(from).transfer()).isZero();
        assertThat(peek(to)).containsExactly("a", "b", "c");
    }
}
