package dev.jitney.conformance.sessions;

import static dev.jitney.conformance.sessions.SessionClients.accept;
import static dev.jitney.conformance.sessions.SessionClients.acceptor;
import static dev.jitney.conformance.sessions.SessionClients.message;
import static dev.jitney.conformance.sessions.SessionClients.send;
import static dev.jitney.conformance.sessions.SessionClients.take;
import static dev.jitney.conformance.sessions.SessionClients.texts;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverAsyncClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests with one receiver and its session. */
class JavaSdkSessionsTest extends SdkTest {
    private String queue = "";

    /** Clients with another connection. */
    private Sdk other;

    @BeforeEach
    void createQueue() {
        queue = broker.queue(q -> q.requiresSession(true));
        other = broker.sdk();
    }

    @AfterEach
    void disconnectOther() throws Exception {
        other.close();
    }

    @Test
    @DisplayName("SESS-4: a named session is granted without messages, and to one client only")
    void acceptsByName() {
        ServiceBusReceiverClient holder = accept(sdk, queue, "mine");
        assertThat(holder.getSessionId()).isEqualTo("mine");
        assertThat(none(holder)).isEmpty();
        assertThatThrownBy(() -> accept(other, queue, "mine"))
                .isInstanceOfSatisfying(
                        AmqpException.class,
                        e -> assertThat(e.getErrorCondition()).isEqualTo(AmqpErrorCondition.SESSION_CANNOT_BE_LOCKED))
                .hasMessageStartingWith("The requested session 'mine' cannot be accepted.");
        assertThat(accept(sdk, queue, "other").getSessionId()).isEqualTo("other");
    }

    @Test
    @DisplayName("SESS-5: the next session is the one whose message waits longest, and a held one is left out")
    void acceptsNext() {
        send(sdk, queue, "d", "d1"); // in the fragment of c (SESS-23)
        send(sdk, queue, "c", "c1");
        ServiceBusReceiverClient first = sdk.keep(acceptor(sdk, queue).acceptNextSession());
        ServiceBusReceiverClient second = sdk.keep(acceptor(sdk, queue).acceptNextSession());
        assertThat(first.getSessionId()).isEqualTo("d");
        assertThat(second.getSessionId()).isEqualTo("c");
        assertThat(next(second).getBody()).hasToString("c1");
    }

    @Test
    @DisplayName("SESS-5: sessions take turns: a closed session is not granted again before waiting ones")
    void takesTurns() throws Exception {
        List<String> names = List.of("poison", "a", "b");
        for (String name : names) {
            send(sdk, queue, name, name + "1", name + "2");
        }
        Map<String, Integer> times = new TreeMap<>();
        // On a partitioned entity the first shard that answers assigns its session (SESS-23), so a shard that the
        // machine
        // does not run for a while may miss some turns.
        int turns = PartitionedRun.ASKED ? 200 : 2 * names.size();
        for (int i = 0; i < 2 * names.size() || i < turns && times.size() < names.size(); i++) {
            try (Sdk client = broker.sdk()) {
                ServiceBusReceiverClient holder =
                        client.keep(acceptor(client, queue).acceptNextSession());
                next(holder);
                times.merge(holder.getSessionId(), 1, Integer::sum);
            }
        }
        assertThat(times.keySet()).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    @DisplayName(
            "SUSP-5: while its entity is disabled, a session keeps its holder, which can settle, set the state and renew")
    void disabledEntity() {
        send(sdk, queue, "s", "1", "2");
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        ServiceBusReceivedMessage first = next(holder);
        broker.status(queue, EntityStatus.DISABLED);
        broker.advance(Duration.ofSeconds(40));
        assertThat(holder.renewSessionLock().toInstant()).isEqualTo(broker.now().plusSeconds(60));
        broker.advance(Duration.ofSeconds(40));
        holder.setSessionState(new byte[] {1, 2});
        assertThat(holder.getSessionState()).containsExactly(1, 2);
        holder.complete(first);
        assertThat(broker.counts(queue).total()).isEqualTo(1);

        broker.status(queue, EntityStatus.ACTIVE);
        assertThatThrownBy(() -> accept(other, queue, "s"))
                .isInstanceOfSatisfying(
                        AmqpException.class,
                        e -> assertThat(e.getErrorCondition()).isEqualTo(AmqpErrorCondition.SESSION_CANNOT_BE_LOCKED));
        broker.advance(Duration.ofSeconds(20));
        assertThat(next(accept(other, queue, "s")).getBody()).hasToString("2");
        assertThatThrownBy(holder::renewSessionLock).isNotNull();
    }

    @Test
    @DisplayName("SESS-3: a message without a session is rejected")
    void messagesNeedASession() {
        assertThatThrownBy(() -> sdk.send(queue, "m")).hasMessageContaining("ession");
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName(
            "SESS-6: receivers without sessions on a session queue and session receivers on other queues are rejected, a peek is not")
    void invalidCombinations() {
        send(sdk, queue, "s", "m");
        ServiceBusReceiverClient plain = sdk.receiver(queue);
        assertThatThrownBy(() -> next(plain)).hasStackTraceContaining("but got a non-sessionful receiver");
        assertThat(plain.peekMessage().getBody()).hasToString("m");
        String without = broker.queue();
        assertThatThrownBy(() -> acceptor(sdk, without).acceptSession("s")).hasMessageContaining("RequiresSession");
    }

    @Test
    @DisplayName(
            "SESS-7: the holder gets its messages in order, an abandoned one is next, and no other client gets any")
    void keepsOrder() {
        send(sdk, queue, "s", "1", "2", "3", "4", "5");
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        ServiceBusReceiverClient bystander = accept(sdk, queue, "t");
        ServiceBusReceivedMessage first = next(holder);
        holder.abandon(first);
        List<ServiceBusReceivedMessage> all = take(holder, 5);
        assertThat(texts(all)).containsExactly("1", "2", "3", "4", "5");
        assertThat(all.get(0).getDeliveryCount()).isEqualTo(1);
        assertThat(all).allMatch(m -> m.getSessionId().equals("s"));
        send(sdk, queue, "s", "6");
        assertThat(none(bystander)).isEmpty();
        all.forEach(holder::complete);
        assertThat(next(holder).getBody()).hasToString("6");
    }

    @Test
    @DisplayName("SESS-8, SESS-9: message and session lock end together; with renewals they last for an hour")
    void renewals() {
        send(sdk, queue, "s", "m");
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        ServiceBusReceivedMessage message = next(holder);
        assertThat(message.getLockedUntil().toInstant()).isEqualTo(broker.now().plusSeconds(60));
        for (int i = 0; i < 72; i++) {
            broker.advance(Duration.ofSeconds(50));
            assertThat(holder.renewSessionLock().toInstant())
                    .isEqualTo(broker.now().plusSeconds(60));
        }
        holder.complete(message);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("SESS-8, SESS-10, SESS-15: after the loss of the lock the old holder can only read the state")
    void everythingFailsAfterTheLoss() {
        send(sdk, queue, "s", "1", "2");
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        holder.setSessionState(new byte[] {7});
        ServiceBusReceivedMessage message = next(holder);
        broker.advance(Duration.ofSeconds(61));
        List<ThrowingCallable> calls = List.of(
                holder::renewSessionLock,
                () -> holder.setSessionState(new byte[1]),
                () -> holder.receiveDeferredMessage(message.getSequenceNumber()));
        calls.forEach(call -> assertFails(ServiceBusFailureReason.SESSION_LOCK_LOST, call));
        assertThat(holder.getSessionState()).containsExactly(7);
        assertThatThrownBy(() -> holder.complete(message)).isNotNull();
        assertThat(broker.counts(queue).active()).isEqualTo(2);
    }

    @Test
    @DisplayName("SESS-11: the end of the lock counts delivered messages only, and releases the session")
    void expiryCounts() {
        send(sdk, queue, "s", "1", "2", "3", "4", "5");
        take(accept(sdk, queue, "s"), 3);
        broker.advance(Duration.ofSeconds(61));
        List<ServiceBusReceivedMessage> again = take(accept(other, queue, "s"), 5);
        assertThat(again)
                .extracting(ServiceBusReceivedMessage::getDeliveryCount)
                .containsExactly(1L, 1L, 1L, 0L, 0L);
    }

    @Test
    @DisplayName("SESS-12, LOCK-10: closing releases the session immediately without a count, twenty times")
    void closingCountsNothing() throws Exception {
        send(sdk, queue, "s", "m");
        for (int i = 0; i < 20; i++) {
            try (Sdk passing = broker.sdk()) {
                assertThat(next(accept(passing, queue, "s")).getDeliveryCount()).isZero();
            }
            broker.awaitNoReceivers(queue);
        }
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        assertThat(broker.counts(queue).deadLetter()).isZero();
    }

    @Test
    @DisplayName("SESS-21, PREF-5: prefetched messages are released in order when the receiver closes")
    void prefetchedMessagesGoBack() {
        send(sdk, queue, "s", "1", "2", "3", "4", "5");
        try (ServiceBusReceiverClient holder =
                acceptor(sdk, queue, b -> b.prefetchCount(10)).acceptSession("s")) {
            assertThat(next(holder).getBody()).hasToString("1");
        }
        broker.awaitNoReceivers(queue);
        List<ServiceBusReceivedMessage> again = take(accept(other, queue, "s"), 5);
        assertThat(texts(again)).containsExactly("1", "2", "3", "4", "5");
        // The SDK abandons messages that arrive while it closes, so counts differ. The raw client has no such messages.
    }

    @Test
    @DisplayName(
            "SESS-13, DLQ-28: a dead-lettered message is skipped, and read from the dead-letter queue without a session")
    void poisonIsSkipped() {
        send(sdk, queue, "s", "1", "2", "3");
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        holder.deadLetter(next(holder), new DeadLetterOptions().setDeadLetterReason("poison"));
        assertThat(texts(take(holder, 2))).containsExactly("2", "3");
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(queue));
        assertThat(dead.getSessionId()).isEqualTo("s");
        assertThat(dead.getDeadLetterReason()).isEqualTo("poison");
    }

    @Test
    @DisplayName("SESS-14: a deferred message does not block the session, and is received by number within it")
    void deferral() {
        send(sdk, queue, "s", "1", "2");
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        ServiceBusReceivedMessage first = next(holder);
        holder.defer(first);
        holder.complete(next(holder));
        ServiceBusReceivedMessage again = holder.receiveDeferredMessage(first.getSequenceNumber());
        assertThat(again.getBody()).hasToString("1");
        assertThat(again.getDeliveryCount()).isEqualTo(1);
        holder.complete(again);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName(
            "SESS-15, SESS-16, SESS-18: state exists without messages, over holders, time and restarts, until it is cleared")
    void sessionState() throws Exception {
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        assertThat(holder.getSessionState()).isNull();
        holder.setSessionState("step 2".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        holder.close();
        broker.advance(Duration.ofDays(30));
        assertThat(accept(other, queue, "s").getSessionState()).asString().isEqualTo("step 2");
        other.close();
        sdk.close();
        broker.restart();
        sdk = broker.sdk();
        ServiceBusReceiverClient again = accept(sdk, queue, "s");
        assertThat(again.getSessionState()).asString().isEqualTo("step 2");
        assertFails(ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED, () -> again.setSessionState(new byte[300 * 1024]));
        again.setSessionState(null);
        assertThat(again.getSessionState()).isNull();
    }

    @Test
    @DisplayName("SESS-19: three requesters share a reply queue, each with its own session")
    void requestReply() {
        String requests = broker.queue();
        try (ServiceBusSenderClient sender = sdk.sender(requests)) {
            for (String requester : List.of("x", "y", "z")) {
                sender.sendMessage(new ServiceBusMessage("question of " + requester)
                        .setMessageId("id-" + requester)
                        .setReplyTo(queue)
                        .setReplyToSessionId(requester));
            }
        }
        ServiceBusReceiverClient responder = sdk.deletingReceiver(requests);
        ServiceBusSenderClient replies = sdk.sender(queue);
        for (ServiceBusReceivedMessage request : take(responder, 3)) {
            replies.sendMessage(new ServiceBusMessage("answer to " + request.getBody())
                    .setSessionId(request.getReplyToSessionId())
                    .setCorrelationId(request.getMessageId()));
        }
        for (String requester : List.of("z", "x", "y")) {
            ServiceBusReceivedMessage answer = next(accept(sdk, queue, requester));
            assertThat(answer.getBody()).hasToString("answer to question of " + requester);
            assertThat(answer.getCorrelationId()).isEqualTo("id-" + requester);
        }
    }

    @Test
    @DisplayName("SESS-20: an idle holder blocks only its own session")
    void idleHolder() {
        send(sdk, queue, "a", "a1");
        send(sdk, queue, "b", "b1");
        accept(sdk, queue, "a");
        ServiceBusReceiverClient busy = sdk.keep(acceptor(sdk, queue).acceptNextSession());
        assertThat(busy.getSessionId()).isEqualTo("b");
        busy.complete(next(busy));
    }

    @Test
    @DisplayName("SESS-24: receive-and-delete within a session")
    void receiveAndDelete() {
        send(sdk, queue, "s", "1", "2");
        ServiceBusReceiverClient holder =
                sdk.keep(acceptor(sdk, queue, b -> b.receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE))
                        .acceptSession("s"));
        assertThat(next(holder).getBody()).hasToString("1");
        Await.until("the removal of the message", () -> broker.counts(queue).total() == 1);
        assertThat(next(holder).getBody()).hasToString("2");
    }

    @Test
    @DisplayName("PEEK-5: a session receiver peeks its own session, other receivers peek all sessions")
    void peeks() {
        send(sdk, queue, "c", "c1");
        send(sdk, queue, "d", "d1"); // in the fragment of c (PEEK-9)
        send(sdk, queue, "c", "c2");
        ServiceBusReceiverClient holder = accept(sdk, queue, "c");
        assertThat(texts(holder.peekMessages(10).stream().toList())).containsExactly("c1", "c2");
        assertThat(texts(sdk.receiver(queue).peekMessages(10).stream().toList()))
                .containsExactly("c1", "d1", "c2");
    }

    @Test
    @DisplayName("SCHED-10: a scheduled message needs a session, and is delivered to its holder when it is due")
    void scheduledMessages() {
        ServiceBusSenderClient sender = sdk.sender(queue);
        assertThatThrownBy(() -> sender.scheduleMessage(
                        new ServiceBusMessage("m"), broker.now().plusSeconds(30).atOffset(ZoneOffset.UTC)))
                .hasMessageContaining("ession");
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        sender.scheduleMessage(
                message("s", "later"), broker.now().plusSeconds(30).atOffset(ZoneOffset.UTC));
        assertThat(none(holder)).isEmpty();
        broker.advance(Duration.ofSeconds(31));
        assertThat(next(holder).getBody()).hasToString("later");
        holder.renewSessionLock();
    }

    @Test
    @DisplayName("SCN-3, TTL-29, TTL-30: one expired message expires its whole session, without delivered messages")
    void expiryTakesTheSessionAlong() {
        ServiceBusSenderClient sender = sdk.sender(queue);
        sender.sendMessage(message("A", "A1").setTimeToLive(Duration.ofSeconds(60)));
        sender.sendMessage(message("A", "A2").setTimeToLive(Duration.ofHours(1)));
        sender.sendMessage(message("B", "B1"));
        broker.advance(Duration.ofSeconds(30));
        ServiceBusReceiverClient holder = accept(sdk, queue, "A");
        ServiceBusReceivedMessage first = next(holder);
        assertThat(first.getBody()).hasToString("A1");
        broker.advance(Duration.ofSeconds(30));
        assertThat(broker.counts(queue).active()).as("A1, delivered, and B1").isEqualTo(2);
        broker.advance(Duration.ofSeconds(29));
        holder.complete(first);
        assertThat(none(holder)).isEmpty();
        assertThat(next(accept(sdk, queue, "B")).getBody()).hasToString("B1");
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "TTL-29: with the flag a whole session moves to the dead-letter queue; its state and other sessions remain")
    void expiryDeadLettersTheSession() {
        String dead = broker.queue(q -> q.requiresSession(true).deadLetteringOnMessageExpiration(true));
        ServiceBusSenderClient sender = sdk.sender(dead);
        sender.sendMessage(message("A", "A1").setTimeToLive(Duration.ofSeconds(40)));
        sender.sendMessage(message("A", "A2").setTimeToLive(Duration.ofHours(1)));
        sender.sendMessage(message("B", "B1"));
        accept(sdk, dead, "B");
        broker.advance(Duration.ofSeconds(39));
        assertThat(broker.counts(dead).deadLetter()).isZero();
        broker.advance(Duration.ofSeconds(1));
        Await.until("the move of both messages", () -> broker.counts(dead).deadLetter() == 2);
        assertThat(broker.counts(dead).active()).isEqualTo(1);
        ServiceBusReceiverClient receiver = sdk.deadLetterReceiver(dead);
        assertThat(take(receiver, 2))
                .allMatch(m -> m.getDeadLetterReason().equals("TTLExpiredException"))
                .allMatch(m -> m.getSessionId().equals("A"));
    }

    @Test
    @DisplayName(
            "TTL-29: deferred, scheduled and later messages do not expire with the session, and neither does its state")
    void expiryLeavesTheRest() {
        send(sdk, queue, "A", "later by number");
        ServiceBusSenderClient sender = sdk.sender(queue);
        ServiceBusReceiverClient holder = accept(sdk, queue, "A");
        ServiceBusReceivedMessage deferred = next(holder);
        holder.defer(deferred);
        holder.setSessionState(new byte[] {5});
        sender.sendMessage(message("A", "short").setTimeToLive(Duration.ofSeconds(30)));
        sender.sendMessage(message("A", "taken along"));
        sender.scheduleMessage(
                message("A", "scheduled"), broker.now().plusSeconds(40).atOffset(ZoneOffset.UTC));
        broker.advance(Duration.ofSeconds(30));
        assertThat(broker.counts(queue).active()).as("the deferred message").isEqualTo(1);
        sender.sendMessage(message("A", "new"));
        assertThat(next(holder).getBody()).hasToString("new");
        broker.advance(Duration.ofSeconds(10));
        assertThat(next(holder).getBody()).hasToString("scheduled");
        assertThat(holder.receiveDeferredMessage(deferred.getSequenceNumber()).getBody())
                .hasToString("later by number");
        assertThat(holder.getSessionState()).containsExactly(5);
    }

    @Test
    @DisplayName("TTL-30: a delivered message expires when the session's lock ends with it unsettled")
    void deliveredMessagesExpireWithTheLock() {
        ServiceBusSenderClient sender = sdk.sender(queue);
        sender.sendMessage(message("A", "A1").setTimeToLive(Duration.ofSeconds(30)));
        ServiceBusReceiverClient holder = accept(sdk, queue, "A");
        next(holder);
        broker.advance(Duration.ofSeconds(40));
        assertThat(broker.counts(queue).total()).isEqualTo(1);
        broker.advance(Duration.ofSeconds(20));
        Await.until("the expiry of the message", () -> broker.counts(queue).total() == 0);
    }

    @Test
    @DisplayName("TTL-31: without a receiver no session expires; a client that accepts a session is a receiver")
    void expiryNeedsAListener() {
        String dead = broker.queue(q -> q.requiresSession(true).deadLetteringOnMessageExpiration(true));
        ServiceBusSenderClient sender = sdk.sender(dead);
        sender.sendMessage(message("A", "A1").setTimeToLive(Duration.ofMinutes(1)));
        sender.sendMessage(message("A", "A2"));
        broker.advance(Duration.ofMinutes(10));
        assertThat(broker.counts(dead).active()).isEqualTo(2);
        accept(sdk, dead, "B");
        Await.until("the move of the session", () -> {
            broker.advance(Duration.ofMillis(1));
            return broker.counts(dead).deadLetter() == 2;
        });
    }

    @Test
    @DisplayName("RECV-1: the asynchronous client accepts a session, receives from it and keeps its state")
    void asynchronously() {
        send(sdk, queue, "s", "1", "2", "3");
        ServiceBusSessionReceiverAsyncClient acceptor = sdk.keep(sdk.builder()
                .sessionReceiver()
                .queueName(queue)
                .maxAutoLockRenewDuration(Duration.ZERO)
                .disableAutoComplete()
                .buildAsyncClient());
        ServiceBusReceiverAsyncClient receiver =
                sdk.keep(acceptor.acceptNextSession().block(Duration.ofSeconds(60)));
        receiver.setSessionState(new byte[] {9}).block(Duration.ofSeconds(60));
        assertThat(receiver.getSessionState().block(Duration.ofSeconds(60))).containsExactly(9);
        assertThat(receiver.renewSessionLock().block(Duration.ofSeconds(60)).toInstant())
                .isEqualTo(broker.now().plusSeconds(60));
        List<String> received = receiver.receiveMessages()
                .concatMap(m -> receiver.complete(m).thenReturn(m.getBody().toString()))
                .take(3)
                .collectList()
                .block(Duration.ofSeconds(60));
        assertThat(received).containsExactly("1", "2", "3");
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("Properties of a session message arrive unchanged")
    void propertiesArrive() {
        ServiceBusMessage sent = message("s", "m").setSubject("subject").setReplyToSessionId("answers");
        sent.getApplicationProperties().putAll(Map.of("number", 7));
        sdk.send(queue, sent);
        ServiceBusReceivedMessage received = next(accept(sdk, queue, "s"));
        assertThat(received.getSubject()).isEqualTo("subject");
        assertThat(received.getReplyToSessionId()).isEqualTo("answers");
        assertThat(received.getApplicationProperties()).containsEntry("number", 7);
    }
}
