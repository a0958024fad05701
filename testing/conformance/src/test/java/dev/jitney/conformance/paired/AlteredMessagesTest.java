package dev.jitney.conformance.paired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.model.EntityStatus;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.PathState;
import dev.jitney.paired.Syphon;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of diverted messages in a backlog queue and after their return, with clients that do not use pairing. */
class AlteredMessagesTest extends PairedTest {
    private static final int MESSAGE_BYTES_MAX = 256 * 1024;
    private static final long TICKS_PER_MILLISECOND = 10_000;
    private static final List<String> ALIASES =
            List.of("x-ms-path", "x-ms-sessionid", "x-ms-timetolive", "x-ms-scheduledenqueuetimeutc");

    private static ServiceBusMessage everything(OffsetDateTime scheduled) {
        ServiceBusMessage message = new ServiceBusMessage(new byte[] {0, 1, (byte) 0xff})
                .setMessageId("id")
                .setCorrelationId("correlation")
                .setSubject("subject")
                .setContentType("application/x-test")
                .setReplyTo("answers")
                .setReplyToSessionId("answer")
                .setTo("to")
                .setSessionId("session")
                .setPartitionKey("session")
                .setTimeToLive(Duration.ofHours(1).plusMillis(1))
                .setScheduledEnqueueTime(scheduled);
        message.getRawAmqpMessage().getHeader().setPriority((short) 7);
        message.getApplicationProperties().putAll(properties());
        return message;
    }

    private static Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("string", "text");
        properties.put("int", 1);
        properties.put("long", 2L);
        properties.put("short", (short) 3);
        properties.put("byte", (byte) 4);
        properties.put("float", 5.5f);
        properties.put("double", 6.5);
        properties.put("boolean", true);
        properties.put("char", 'c');
        properties.put("uuid", new UUID(1, 2));
        properties.put("timestamp", new Date(1_700_000_000_123L));
        properties.put("time", OffsetDateTime.of(2026, 11, 22, 1, 2, 3, 4_000_000, ZoneOffset.UTC));
        properties.put("duration", Duration.ofSeconds(7).plusNanos(800));
        properties.put("uri", URI.create("https://example.org/a"));
        return properties;
    }

    private static OffsetDateTime soon() {
        return OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
    }

    private RawMessage inBacklog() {
        RawPeer peer = keep(secondary.peer());
        RawLink receiver = peer.begin().deletingReceiver(backlogQueue(0));
        return receiver.receiveOne().message();
    }

    @Test
    @DisplayName(
            "PAIR-38: on the wire the aliases are strings, a com.microsoft:timespan and a timestamp; the properties"
                    + " they replace are absent, all others are unchanged")
    void onTheWire() {
        MessagingFactory factory = paired(o -> o);
        String queue = primary.queue(q -> q.requiresSession(true));
        disable(queue);
        OffsetDateTime scheduled =
                OffsetDateTime.now(ZoneOffset.UTC).plusDays(1).truncatedTo(ChronoUnit.MILLIS);
        sender(factory, queue).send(everything(scheduled));

        RawMessage altered = inBacklog();
        assertThat(altered.applicationProperty("x-ms-path").isString()).isTrue();
        assertThat(altered.applicationProperty("x-ms-path").text()).isEqualTo(queue);
        assertThat(altered.applicationProperty("x-ms-sessionid").text()).isEqualTo("session");
        assertThat(altered.applicationProperty("x-ms-timetolive").descriptor().text())
                .isEqualTo("com.microsoft:timespan");
        assertThat(altered.applicationProperty("x-ms-timetolive").described().isLong())
                .isTrue();
        assertThat(altered.applicationProperty("x-ms-timetolive").described().number())
                .isEqualTo((3_600_000L + 1) * TICKS_PER_MILLISECOND);
        assertThat(altered.applicationProperty("x-ms-scheduledenqueuetimeutc").isTimestamp())
                .isTrue();
        assertThat(altered.applicationProperty("x-ms-scheduledenqueuetimeutc").number())
                .isEqualTo(scheduled.toInstant().toEpochMilli());
        assertThat(altered.properties().at(10).isNull()).as("group-id").isTrue();
        assertThat(altered.annotation("x-opt-scheduled-enqueue-time").isNull()).isTrue();

        assertThat(altered.properties().at(0).text()).isEqualTo("id");
        assertThat(altered.annotation("x-opt-partition-key").text()).isEqualTo("session");
        assertThat(altered.applicationProperty("duration").descriptor().text()).isEqualTo("com.microsoft:timespan");
        assertThat(altered.applicationProperty("time").descriptor().text()).isEqualTo("com.microsoft:datetime-offset");
        assertThat(altered.applicationProperty("uri").descriptor().text()).isEqualTo("com.microsoft:uri");
        assertThat(altered.applicationProperty("timestamp").isTimestamp()).isTrue();
        assertThat(altered.section(Code.APPLICATION_PROPERTIES).map())
                .hasSize(properties().size() + ALIASES.size());
    }

    @Test
    @DisplayName("PAIR-38: a message without session, time to live and schedule gets only its path")
    void plainOnTheWire() {
        MessagingFactory factory = paired(o -> o);
        String queue = primary.queue();
        disable(queue);
        sender(factory, queue).send(new ServiceBusMessage("plain"));
        assertThat(inBacklog().section(Code.APPLICATION_PROPERTIES).map()).containsOnlyKeys("x-ms-path");
    }

    @Test
    @DisplayName("PAIR-50, PAIR-51, PAIR-56, PAIR-61: messages of a queue, a session queue and a topic return from one"
            + " backlog queue unchanged, and a client without pairing sees no alias")
    void home() {
        MessagingFactory factory = paired(o -> o);
        String plain = primary.queue();
        String sessions = primary.queue(q -> q.requiresSession(true));
        String topic = primary.topics().create();
        Subscription subscription = primary.topics().subscribe(topic);
        disable(plain);
        disable(sessions);
        primary.topics().update(topic, t -> t.status(EntityStatus.DISABLED));
        OffsetDateTime scheduled = soon();
        for (String path : List.of(plain, sessions, topic)) {
            sender(factory, path).send(everything(scheduled));
            sender(factory, path).send(new ServiceBusMessage("second").setSessionId("session"));
        }
        assertThat(secondary.counts(backlogQueue(0)).total()).isEqualTo(6);
        enable(plain);
        enable(sessions);
        primary.topics().update(topic, t -> t.status(EntityStatus.ACTIVE));
        keep(Syphon.start(factory, options(o -> o)));
        Await.until(
                "six messages in the primary",
                () -> Stream.of(plain, sessions, subscription.path())
                        .allMatch(path -> primary.counts(path).active() == 2));
        Await.until("an empty backlog", () -> secondary.counts(backlogQueue(0)).total() == 0);

        assertAsSent(atPrimary.receiver(plain).peekMessages(5).stream().toList(), scheduled);
        assertAsSent(atPrimary.receiver(subscription).peekMessages(5).stream().toList(), scheduled);
        assertAsSent(
                keep(atPrimary
                                .builder()
                                .sessionReceiver()
                                .queueName(sessions)
                                .disableAutoComplete()
                                .buildClient())
                        .acceptSession("session")
                        .peekMessages(5)
                        .stream()
                        .toList(),
                scheduled);
        for (String path : List.of(plain, subscription.path())) {
            foreignClientSeesNoAlias(path);
        }
    }

    private static void assertAsSent(List<ServiceBusReceivedMessage> found, OffsetDateTime scheduled) {
        assertThat(found).hasSize(2);
        ServiceBusReceivedMessage message = found.stream()
                .filter(m -> "id".equals(m.getMessageId()))
                .findFirst()
                .orElseThrow();
        ServiceBusMessage sent = everything(scheduled);
        assertThat(message.getApplicationProperties()).isEqualTo(sent.getApplicationProperties());
        assertThat(message.getBody().toBytes()).isEqualTo(sent.getBody().toBytes());
        assertThat(message.getSessionId()).isEqualTo("session");
        assertThat(message.getPartitionKey()).isEqualTo("session");
        assertThat(message.getTimeToLive()).isEqualTo(sent.getTimeToLive());
        assertThat(message.getExpiresAt()).isEqualTo(message.getEnqueuedTime().plus(sent.getTimeToLive()));
        assertThat(message.getScheduledEnqueueTime()).isEqualTo(scheduled);
        assertThat(message.getEnqueuedTime()).isAfterOrEqualTo(scheduled);
        assertThat(message.getCorrelationId()).isEqualTo("correlation");
        assertThat(message.getSubject()).isEqualTo("subject");
        assertThat(message.getContentType()).isEqualTo("application/x-test");
        assertThat(message.getReplyTo()).isEqualTo("answers");
        assertThat(message.getReplyToSessionId()).isEqualTo("answer");
        assertThat(message.getTo()).isEqualTo("to");
        assertThat(message.getRawAmqpMessage().getHeader().getPriority()).isEqualTo((short) 7);
        assertThat(message.getDeliveryCount()).isZero();
    }

    private void foreignClientSeesNoAlias(String path) {
        RawLink receiver = keep(primary.peer()).begin().deletingReceiver(path);
        List<RawMessage> messages =
                Stream.generate(() -> receiver.receiveOne().message()).limit(2).toList();
        assertThat(messages)
                .extracting(RawMessage::applicationPropertiesOctets)
                .allSatisfy(octets -> assertThat(new String(octets, StandardCharsets.ISO_8859_1))
                        .doesNotContain(ALIASES));
    }

    @Test
    @DisplayName(
            "PAIR-52: a backlog queue rejects a message of the maximum size that the SDK sends to the primary: the caller gets"
                    + " an error, and the queue remains in the rotation")
    void tooLarge() {
        MessagingFactory factory = paired(o -> o);
        String queue = primary.queue();
        MessageSender sender = sender(factory, queue);
        ServiceBusMessage message = new ServiceBusMessage(new byte[largest(sender)]);
        sender.send(message);
        assertThat(primary.counts(queue).active()).isEqualTo(1);
        disable(queue);
        sender.send(new ServiceBusMessage("small"));
        assertTooLarge(() -> sender.send(message));
        assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
        sender.send(new ServiceBusMessage("small"));
        assertThat(secondary.counts(backlogQueue(0)).active()).isEqualTo(2);
    }

    @Test
    @DisplayName("PAIR-52: a message that is one byte larger, which the SDK's sender drops silently, is rejected")
    void droppedByTheSdk() {
        String queue = primary.queue();
        MessageSender sender = sender(unpaired(), queue);
        ServiceBusMessage message = new ServiceBusMessage(new byte[largest(sender) + 1]);
        atPrimary.sender(queue).sendMessage(message);
        assertThat(primary.counts(queue).total()).as("messages sent by the SDK").isZero();
        assertTooLarge(() -> sender.send(message));
        assertTooLarge(() -> sender.send(List.of(message)));
        assertTooLarge(() -> sender.send(Collections.nCopies(3, new ServiceBusMessage(new byte[100_000]))));
        assertTooLarge(() -> sender.send(new ServiceBusMessage(new byte[MESSAGE_BYTES_MAX - 20])));
    }

    private static void assertTooLarge(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ServiceBusException.class,
                        e -> assertThat(e.getReason()).isEqualTo(ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED));
    }

    /** Returns the largest message size in bytes that a sender accepts. */
    private static int largest(MessageSender sender) {
        int fitting = 0;
        int tooLarge = MESSAGE_BYTES_MAX;
        while (tooLarge - fitting > 1) {
            int size = (fitting + tooLarge) / 2;
            if (fits(sender, size)) {
                fitting = size;
            } else {
                tooLarge = size;
            }
        }
        assertThat(fitting)
                .as("the SDK reserves some space for the message frame")
                .isGreaterThan(250_000);
        return fitting;
    }

    private static boolean fits(MessageSender sender, int size) {
        try {
            return sender.createMessageBatch().tryAddMessage(new ServiceBusMessage(new byte[size]));
        } catch (ServiceBusException e) {
            return false; // even without the overhead of a batch
        }
    }

    @Test
    @DisplayName("PAIR-55: bodies of values and sequences are cloned, and the caller's object can be sent again")
    void bodies() {
        MessagingFactory factory = paired(o -> o);
        String queue = primary.queue();
        disable(queue);
        MessageSender sender = sender(factory, queue);
        ServiceBusMessage value = new ServiceBusMessage(AmqpMessageBody.fromValue(Map.of("a", 1)));
        ServiceBusMessage sequence = new ServiceBusMessage(AmqpMessageBody.fromSequence(List.of("a", 2)));
        sender.send(List.of(value, sequence));
        assertThat(value.getApplicationProperties()).isEmpty();
        enable(queue);
        awaitHealthy(factory, queue);
        sender.send(value);
        keep(Syphon.start(factory, options(o -> o)));
        Await.until("all messages in the primary", () -> primary.counts(queue).active() == 3);
        ServiceBusReceiverClient receiver = atPrimary.receiver(queue);
        assertThat(Stream.generate(() -> Sdk.next(receiver))
                        .limit(3)
                        .map(m -> m.getRawAmqpMessage().getBody())
                        .map(b -> switch (b.getBodyType()) {
                            case VALUE -> b.getValue();
                            case SEQUENCE -> b.getSequence();
                            default -> b.getFirstData();
                        })
                        .toList())
                .containsExactlyInAnyOrder(Map.of("a", 1), List.of("a", 2), Map.of("a", 1));
    }
}
