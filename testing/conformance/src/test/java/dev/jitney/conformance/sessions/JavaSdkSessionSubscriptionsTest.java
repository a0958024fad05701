package dev.jitney.conformance.sessions;

import static dev.jitney.conformance.sessions.SessionClients.message;
import static dev.jitney.conformance.sessions.SessionClients.take;
import static dev.jitney.conformance.sessions.SessionClients.texts;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of sessions in subscriptions. A session id in each subscription is a separate session. */
class JavaSdkSessionSubscriptionsTest extends SdkTest {
    private String topic = "";
    private Subscription ordered;
    private Subscription alsoOrdered;

    @BeforeEach
    void createTopic() {
        Topics topics = broker.topics();
        topic = topics.create();
        ordered = topics.subscribe(topic, s -> s.requiresSession(true));
        alsoOrdered = topics.subscribe(topic, s -> s.requiresSession(true));
    }

    private ServiceBusSenderClient sender() {
        return sdk.keep(sdk.builder().sender().topicName(topic).buildClient());
    }

    private static ServiceBusSessionReceiverClient acceptor(Sdk sdk, Subscription subscription) {
        return sdk.keep(sdk.builder()
                .sessionReceiver()
                .topicName(subscription.topic())
                .subscriptionName(subscription.name())
                .maxAutoLockRenewDuration(Duration.ZERO)
                .disableAutoComplete()
                .buildClient());
    }

    private ServiceBusReceiverClient accept(Subscription subscription, String sessionId) {
        return sdk.keep(acceptor(sdk, subscription).acceptSession(sessionId));
    }

    @Test
    @DisplayName("SESS-1, SESS-7: every subscription gets its sessions in order, independent of other subscriptions")
    void subscriptionsAreIndependent() {
        ServiceBusSenderClient sender = sender();
        for (int i = 1; i <= 3; i++) {
            sender.sendMessage(message("c", "c" + i));
            sender.sendMessage(message("d", "d" + i)); // in the fragment of c (SESS-23)
        }
        ServiceBusReceiverClient first = sdk.keep(acceptor(sdk, ordered).acceptNextSession());
        ServiceBusReceiverClient same = accept(alsoOrdered, "c");
        assertThat(first.getSessionId()).isEqualTo("c");
        take(first, 3).forEach(first::complete);
        assertThat(none(first)).isEmpty();
        assertThat(texts(take(same, 3))).containsExactly("c1", "c2", "c3");
        assertThat(texts(take(accept(ordered, "d"), 3))).containsExactly("d1", "d2", "d3");
    }

    @Test
    @DisplayName("SESS-15: the state of a session belongs to the subscription")
    void statesAreIndependent() {
        ServiceBusReceiverClient one = accept(ordered, "s");
        ServiceBusReceiverClient two = accept(alsoOrdered, "s");
        one.setSessionState(new byte[] {1});
        assertThat(two.getSessionState()).isNull();
        assertThat(one.getSessionState()).containsExactly(1);
    }

    @Test
    @DisplayName(
            "SESS-3, DLQ-17, wire 76: a message without a session is accepted, and dead-lettered in subscriptions with sessions")
    void messagesWithoutASession() {
        Subscription plain = broker.topics().subscribe(topic);
        sender().sendMessage(new ServiceBusMessage("m"));
        assertThat(next(sdk.receiver(plain)).getBody()).hasToString("m");
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(ordered));
        assertThat(dead.getDeadLetterReason()).isEqualTo("Session id is null.");
        assertThat(dead.getDeadLetterErrorDescription())
                .isEqualTo("Session enabled entity doesn't allow a message whose session identifier is null.");
    }

    @Test
    @DisplayName("RULE-13: a rule's action sets or removes the session of the copy")
    void actionsChooseTheSession() {
        Topics topics = broker.topics();
        Subscription named = topics.subscribe(
                topic, s -> s.requiresSession(true), Topics.sql("name", "1=1", "SET sys.SessionId = 'by-rule'"));
        Subscription emptied = topics.subscribe(
                topic, s -> s.requiresSession(true), Topics.sql("empty", "1=1", "SET sys.SessionId = NULL"));
        sender().sendMessage(message("sent", "m"));
        ServiceBusReceiverClient holder = sdk.keep(acceptor(sdk, named).acceptNextSession());
        assertThat(holder.getSessionId()).isEqualTo("by-rule");
        assertThat(next(holder).getSessionId()).isEqualTo("by-rule");
        assertThat(next(sdk.deadLetterReceiver(emptied)).getDeadLetterReason()).isEqualTo("Session id is null.");
    }

    @Test
    @DisplayName("SCHED-7, SCHED-10: a message scheduled at the topic is delivered to the holder of its session")
    void scheduledAtTheTopic() {
        sender().scheduleMessage(
                        message("s", "later"), broker.now().plusSeconds(30).atOffset(ZoneOffset.UTC));
        ServiceBusReceiverClient holder = accept(ordered, "s");
        assertThat(none(holder)).isEmpty();
        broker.advance(Duration.ofSeconds(31));
        assertThat(next(holder).getBody()).hasToString("later");
    }

    @Test
    @DisplayName("TTL-29: an expired copy expires its session in the subscription")
    void expiry() {
        Subscription kept =
                broker.topics().subscribe(topic, s -> s.requiresSession(true).deadLetteringOnMessageExpiration(true));
        ServiceBusSenderClient sender = sender();
        sender.sendMessage(message("s", "1").setTimeToLive(Duration.ofSeconds(30)));
        sender.sendMessage(message("s", "2"));
        accept(kept, "another");
        broker.advance(Duration.ofSeconds(30));
        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(kept);
        assertThat(take(dead, 2)).allMatch(m -> m.getDeadLetterReason().equals("TTLExpiredException"));
        Await.until(
                "the other subscription to keep its copies",
                () -> broker.counts(ordered.path()).active() == 2); // it has no receiver (TTL-31)
    }

    @Test
    @DisplayName("STATE-4: a restart releases the session and keeps messages, order and counts")
    void restart() throws Exception {
        ServiceBusSenderClient sender = sender();
        sender.sendMessage(message("s", "1"));
        sender.sendMessage(message("s", "2"));
        next(accept(ordered, "s"));
        sdk.close();
        broker.restart();
        sdk = broker.sdk();
        assertThat(take(accept(ordered, "s"), 2))
                .allMatch(m -> m.getDeliveryCount() == 0)
                .extracting(m -> m.getBody().toString())
                .containsExactly("1", "2");
    }
}
