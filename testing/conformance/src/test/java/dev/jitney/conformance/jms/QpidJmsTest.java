package dev.jitney.conformance.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of a third-party AMQP client, with SASL PLAIN and its own way of using links. */
class QpidJmsTest {
    private static final long PATIENCE_MS = 60_000;

    @RegisterExtension
    static final TestBroker broker = TestBroker.withTls();

    private Connection connection;
    private String queue;

    @BeforeEach
    void connect() throws JMSException {
        queue = broker.queue();
        connection = open(plainUri(), TestBroker.KEY);
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    private static String plainUri() {
        return "amqp://localhost:" + broker.amqpPort() + "?amqp.saslMechanisms=PLAIN&jms.connectTimeout=60000"
                + "&jms.requestTimeout=60000";
    }

    private static Connection open(String uri, String key) throws JMSException {
        Connection connection = new JmsConnectionFactory(TestBroker.RULE, key, uri).createConnection();
        connection.start();
        return connection;
    }

    private static void send(Session session, Queue queue, String... texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            for (String text : texts) {
                producer.send(inOrder(session.createTextMessage(text)));
            }
        }
    }

    /** Gives messages a group id in a partitioned run, because the group id is the session id and so the key. */
    private static <M extends Message> M inOrder(M message) throws JMSException {
        if (PartitionedRun.ASKED) {
            message.setStringProperty("JMSXGroupID", PartitionedRun.KEY);
        }
        return message;
    }

    @Test
    @DisplayName("JMS-4, MSG-1, RECV-1: auto-acknowledge sends, receives and completes")
    void autoAcknowledge() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue destination = session.createQueue(queue);
            send(session, destination, "a", "b", "c");
            MessageConsumer consumer = session.createConsumer(destination);
            for (String expected : List.of("a", "b", "c")) {
                assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText())
                        .isEqualTo(expected);
            }
            assertThat(consumer.receiveNoWait()).isNull();
            Await.until("completion", () -> broker.counts(queue).total() == 0);
        }
    }

    @Test
    @DisplayName("JMS-3, SESS-3: the group of a JMS message is its session; a message without a group is rejected")
    void sendsToSessions() throws Exception {
        String ordered = broker.queue(q -> q.requiresSession(true));
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(session.createQueue(ordered))) {
            for (String group : List.of("a", "b", "a")) {
                TextMessage message = session.createTextMessage("of " + group);
                message.setStringProperty("JMSXGroupID", group);
                producer.send(message);
            }
            assertThatThrownBy(() -> producer.send(session.createTextMessage("of nobody")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("ession");
            assertThatThrownBy(() -> session.createConsumer(session.createQueue(ordered)))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("session");
        }
        try (Sdk sdk = broker.sdk();
                ServiceBusSessionReceiverClient acceptor =
                        sdk.builder().sessionReceiver().queueName(ordered).buildClient();
                ServiceBusReceiverClient holder = acceptor.acceptSession("a")) {
            assertThat(holder.peekMessages(10).stream())
                    .hasSize(2)
                    .allMatch(m -> m.getSessionId().equals("a"));
        }
    }

    @Test
    @DisplayName("JMS-4: client-acknowledge completes all messages received so far")
    void clientAcknowledge() throws JMSException {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            Queue destination = session.createQueue(queue);
            send(session, destination, "a", "b");
            MessageConsumer consumer = session.createConsumer(destination);
            consumer.receive(PATIENCE_MS);
            Message second = consumer.receive(PATIENCE_MS);
            assertThat(broker.counts(queue).active()).isEqualTo(2);
            second.acknowledge();
            Await.until("completion", () -> broker.counts(queue).total() == 0);
        }
    }

    @Test
    @DisplayName(
            "LOCK-9, PREF-2: messages buffered by a closed consumer are delivered again when their locks end, with a count")
    void closedConsumerKeepsItsLocks() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue destination = session.createQueue(queue);
            send(session, destination, "a", "b", "c");
            try (MessageConsumer consumer = session.createConsumer(destination)) {
                assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText())
                        .isEqualTo("a");
                // The acknowledgment of the first message is sent at any time. The clock must not move before it.
                Await.until(
                        "the acknowledgment of the first message and the prefetch of the others",
                        () -> broker.counts(queue).total() == 2
                                && broker.counts(queue).locked() == 2);
            }
            broker.advance(Duration.ofSeconds(61));
            try (MessageConsumer consumer = session.createConsumer(destination)) {
                Message message = consumer.receive(PATIENCE_MS);
                assertThat(((TextMessage) message).getText()).isEqualTo("b");
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            }
        }
    }

    @Test
    @DisplayName("JMS-4, TX-1: a transacted session sends and acknowledges with its commit, also across queues")
    void transactedSession() throws JMSException {
        String via = broker.viaQueue();
        String other = broker.queue();
        try (Session plain = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            send(plain, plain.createQueue(via), "work");
            MessageConsumer consumer = session.createConsumer(session.createQueue(via));
            MessageProducer producer = session.createProducer(session.createQueue(other));
            assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("work");
            producer.send(session.createTextMessage("never"));
            session.rollback();
            assertThat(broker.counts(other).total()).isZero();
            broker.advance(Duration.ofSeconds(61)); // TX-14: the message remains locked
            assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("work");
            producer.send(session.createTextMessage("done"));
            session.commit();
            Await.until("the move of the message", () -> broker.counts(via).total() == 0);
            assertThat(broker.counts(other).active()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("JMS-3: headers and properties of every JMS type arrive unchanged")
    void propertiesComeBack() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue destination = session.createQueue(queue);
            TextMessage sent = session.createTextMessage("text");
            sent.setJMSCorrelationID("correlation");
            sent.setJMSType("type");
            sent.setJMSReplyTo(session.createQueue("replies"));
            sent.setStringProperty("JMSXGroupID", "group");
            sent.setBooleanProperty("boolean", true);
            sent.setByteProperty("byte", (byte) 1);
            sent.setShortProperty("short", (short) 2);
            sent.setIntProperty("int", 3);
            sent.setLongProperty("long", 4L);
            sent.setFloatProperty("float", 5.5f);
            sent.setDoubleProperty("double", 6.5d);
            sent.setStringProperty("string", "seven");
            MessageProducer producer = session.createProducer(destination);
            producer.send(sent, DeliveryMode.PERSISTENT, 7, 60_000);

            Message received = session.createConsumer(destination).receive(PATIENCE_MS);
            assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
            assertThat(received.getJMSCorrelationID()).isEqualTo("correlation");
            assertThat(received.getJMSType()).isEqualTo("type");
            assertThat(((Queue) received.getJMSReplyTo()).getQueueName()).isEqualTo("replies");
            assertThat(received.getJMSPriority()).isEqualTo(7);
            assertThat(received.getJMSExpiration()).isGreaterThan(System.currentTimeMillis());
            assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("group");
            assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            assertThat(received.getBooleanProperty("boolean")).isTrue();
            assertThat(received.getByteProperty("byte")).isEqualTo((byte) 1);
            assertThat(received.getShortProperty("short")).isEqualTo((short) 2);
            assertThat(received.getIntProperty("int")).isEqualTo(3);
            assertThat(received.getLongProperty("long")).isEqualTo(4L);
            assertThat(received.getFloatProperty("float")).isEqualTo(5.5f);
            assertThat(received.getDoubleProperty("double")).isEqualTo(6.5d);
            assertThat(received.getStringProperty("string")).isEqualTo("seven");
        }
    }

    @Test
    @DisplayName("Wire 40: bytes, map and empty messages arrive unchanged")
    void otherBodies() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue destination = session.createQueue(queue);
            MessageProducer producer = session.createProducer(destination);
            BytesMessage bytes = session.createBytesMessage();
            bytes.writeBytes(new byte[] {1, 2, 3});
            producer.send(inOrder(bytes));
            MapMessage map = session.createMapMessage();
            map.setInt("one", 1);
            producer.send(inOrder(map));
            producer.send(inOrder(session.createMessage()));

            MessageConsumer consumer = session.createConsumer(destination);
            assertThat(consumer.receive(PATIENCE_MS).getBody(byte[].class)).containsExactly(1, 2, 3);
            assertThat(((MapMessage) consumer.receive(PATIENCE_MS)).getInt("one"))
                    .isEqualTo(1);
            assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
        }
    }

    @Test
    @DisplayName("A listener receives what another session sends")
    void listener() throws Exception {
        int count = 100;
        CountDownLatch all = new CountDownLatch(count);
        List<String> texts = new ArrayList<>();
        try (Session receiving = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            receiving.createConsumer(receiving.createQueue(queue)).setMessageListener(message -> {
                try {
                    texts.add(((TextMessage) message).getText());
                } catch (JMSException e) {
                    texts.add(e.toString());
                }
                all.countDown();
            });
            MessageProducer producer = sending.createProducer(sending.createQueue(queue));
            for (int i = 0; i < count; i++) {
                producer.send(inOrder(sending.createTextMessage("m" + i)));
            }
            assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(texts).hasSize(count).startsWith("m0", "m1", "m2");
            Await.until("completion", () -> broker.counts(queue).total() == 0);
        }
    }

    @Test
    @DisplayName("JMS-1: a browser is rejected or shows messages, and never removes any")
    void browserTakesNothing() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue destination = session.createQueue(queue);
            send(session, destination, "a", "b");
            try (QueueBrowser browser = session.createBrowser(destination)) {
                browser.getEnumeration().hasMoreElements();
            } catch (JMSException refused) {
                assertThat(refused).hasMessageContaining("amqp:not-implemented");
            }
            MessageConsumer consumer = session.createConsumer(destination);
            assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("a");
            assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("b");
        }
    }

    @Test
    @DisplayName("GEN-1: a queue that does not exist is named in the error")
    void missingQueue() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            assertThatThrownBy(() -> session.createConsumer(session.createQueue("nothing-here")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("could not be found");
        }
    }

    @Test
    @DisplayName("Wire 3: a wrong key is a security error")
    void wrongKey() {
        assertThatThrownBy(() -> open(plainUri(), "wrong")).isInstanceOf(JMSSecurityException.class);
    }

    @Test
    @DisplayName("Wire 12: over TLS, with the trust store the server made, the client works in the same way")
    void overTls() throws JMSException {
        String uri = "amqps://localhost:" + broker.amqpsPort() + "?amqp.saslMechanisms=PLAIN"
                + "&transport.trustStoreType=PKCS12&transport.trustStorePassword=changeit"
                + "&transport.trustStoreLocation=" + broker.trustStore();
        Connection encrypted = open(uri, TestBroker.KEY);
        try (Session session = encrypted.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue destination = session.createQueue(queue);
            send(session, destination, "secret");
            assertThat(((TextMessage) session.createConsumer(destination).receive(PATIENCE_MS)).getText())
                    .isEqualTo("secret");
        } finally {
            encrypted.close();
        }
    }

    @Test
    @DisplayName("Wire 12: a client that does not trust the server's authority does not connect")
    void untrustedAuthority() {
        assertThatThrownBy(() ->
                        open("amqps://localhost:" + broker.amqpsPort() + "?amqp.saslMechanisms=PLAIN", TestBroker.KEY))
                .isInstanceOf(JMSException.class);
    }
}
