package dev.jitney.conformance.wire;

import static dev.jitney.conformance.support.PartitionedRun.counter;
import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.testing.amqp.Wire.list;
import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.section;
import static dev.jitney.testing.amqp.Wire.sym;
import static dev.jitney.testing.amqp.Wire.uint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.model.EntityStatus;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of messages (checklist 37 to 46, and chapter 2 of the semantics). */
class MessagesTest extends RawTest {

    private RawMessage sendAndReceive(byte[] message) {
        String queue = broker.queue();
        session.sender(queue).sendAccepted(message);
        return session.deletingReceiver(queue).receiveOne().message();
    }

    private Node refusal(byte[] message) {
        RawLink sender = session.sender(broker.queue());
        return sender.awaitRejection(sender.send(message));
    }

    private static byte[] data(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("Wire 37: first frames have id, 16-byte tag and format 0; ids are consecutive per session")
    void firstFrames() {
        String one = broker.queue();
        String two = broker.queue();
        for (int i = 0; i < 3; i++) {
            send(one, "a" + i);
            send(two, "b" + i);
        }
        RawSession reading = peer.begin();
        RawLink first = reading.receiver(one);
        RawLink second = reading.deletingReceiver(two);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            for (RawLink link : List.of(first, second)) {
                RawDelivery delivery = link.receiveOne();
                ids.add(delivery.id());
                assertThat(delivery.tag()).hasSize(16);
                assertThat(delivery.first().field(3).number())
                        .as("message-format")
                        .isZero();
            }
        }
        long start = ids.get(0);
        assertThat(ids).containsExactly(start, start + 1, start + 2, start + 3, start + 4, start + 5);
    }

    @Test
    @DisplayName("Wire 38: a message has a header, with delivery count 0 at first and 1 after an abandon")
    void headerIsAlwaysThere() {
        String queue = broker.queue();
        session.sender(queue).sendAccepted(RawMessage.ofData("without header"));
        RawLink receiver = session.receiver(queue);
        RawDelivery delivery = receiver.receiveOne();
        assertThat(delivery.message().deliveryCount()).isZero();
        receiver.settle(delivery, RawLink.modified(null, null, null));
        assertThat(receiver.receiveOne().message().deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 39: broker annotations have the types that clients cast to, and symbols for keys")
    void annotationTypes() {
        String queue = broker.queue();
        send(queue, "m");
        RawMessage message = session.receiver(queue).receiveOne().message();
        assertThat(message.annotation("x-opt-sequence-number").isLong()).isTrue();
        assertThat(message.annotation("x-opt-enqueued-time").isTimestamp()).isTrue();
        assertThat(message.annotation("x-opt-locked-until").isTimestamp()).isTrue();
        assertThat(counter(message.annotation("x-opt-sequence-number").number()))
                .isEqualTo(1);
        assertThat(message.annotation("x-opt-enqueued-time").number())
                .isEqualTo(broker.now().toEpochMilli());
        assertThat(message.annotation("x-opt-locked-until").number())
                .isEqualTo(broker.now().plusSeconds(60).toEpochMilli());
        Node annotations = message.section(Code.MESSAGE_ANNOTATIONS);
        for (int i = 0; i < annotations.size(); i += 2) {
            assertThat(annotations.at(i).isSymbol()).isTrue();
        }
    }

    static List<byte[]> bodies() {
        byte[] large = new byte[70_000];
        new Random(1).nextBytes(large);
        return List.of(
                Wire.encode(section(Code.DATA, data("one"))),
                Wire.encode(
                        section(Code.DATA, data("one")), section(Code.DATA, new byte[0]), section(Code.DATA, large)),
                Wire.encode(section(Code.SEQUENCE, list(1, "two", 3L, null, list(true)))),
                Wire.encode(section(Code.SEQUENCE, list(1)), section(Code.SEQUENCE, list())),
                Wire.encode(section(Code.VALUE, "text")),
                Wire.encode(section(Code.VALUE, null)),
                Wire.encode(section(Code.VALUE, map("a", list(UUID.randomUUID()), sym("b"), Instant.now()))),
                Wire.encode(section(Code.VALUE, new Wire.Described(sym("com.example:thing"), list(1, 2)))),
                Wire.encode(section(Code.VALUE, Wire.octets(0x43))));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    @DisplayName("Wire 40: every kind of body arrives byte by byte")
    void bodiesComeBack(byte[] body) {
        assertThat(sendAndReceive(body).bodyOctets()).isEqualTo(body);
    }

    @Test
    @DisplayName("Wire 40: a message without a body is legal")
    void noBody() {
        RawMessage message = sendAndReceive(Wire.encode(Wire.composite(Code.PROPERTIES, "no body")));
        assertThat(message.properties().at(0).text()).isEqualTo("no body");
        assertThat(message.bodyOctets()).isEmpty();
    }

    @Test
    @DisplayName("Wire 40, MSG-6: application properties of every type arrive byte by byte")
    void applicationPropertiesComeBack() {
        byte[] properties = Wire.encode(section(
                Code.APPLICATION_PROPERTIES,
                map(
                        "null",
                        null,
                        "true",
                        true,
                        "boolean",
                        Wire.octets(0x56, 0x01),
                        "ubyte",
                        Wire.ubyte(200),
                        "byte",
                        (byte) -1,
                        "ushort",
                        new Wire.Unsigned(16, 60_000),
                        "short",
                        (short) -2,
                        "uint",
                        uint(4_000_000_000L),
                        "smalluint",
                        Wire.octets(0x52, 0x07),
                        "uint0",
                        Wire.octets(0x43),
                        "int",
                        -3,
                        "ulong",
                        Wire.ulong(-1),
                        "long",
                        Long.MIN_VALUE,
                        "float",
                        1.5f,
                        "double",
                        Double.NaN,
                        "decimal32",
                        Wire.octets(0x74, 1, 2, 3, 4),
                        "decimal64",
                        Wire.octets(0x84, 1, 2, 3, 4, 5, 6, 7, 8),
                        "decimal128",
                        Wire.octets(0x94, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
                        "char",
                        '€',
                        "timestamp",
                        Instant.now(),
                        "uuid",
                        UUID.randomUUID(),
                        "binary",
                        new byte[] {0, 1, 2},
                        "string",
                        "text €",
                        "symbol",
                        sym("symbol"),
                        "uri",
                        new Wire.Described(sym("com.microsoft:uri"), "https://example.org/"),
                        "timespan",
                        new Wire.Described(sym("com.microsoft:timespan"), 600_000_000L),
                        "moment",
                        new Wire.Described(sym("com.microsoft:datetime-offset"), 638_000_000_000_000_000L))));
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(properties);
        message.writeBytes(RawMessage.ofData("typed"));
        assertThat(sendAndReceive(message.toByteArray()).applicationPropertiesOctets())
                .isEqualTo(properties);
    }

    @Test
    @DisplayName("MSG-4: every field of properties and header, annotations of the sender and the footer arrive")
    void sectionsComeBack() {
        Instant created = Instant.ofEpochMilli(1_700_000_000_000L);
        RawMessage message = sendAndReceive(Wire.encode(
                Wire.composite(Code.HEADER, true, Wire.ubyte(7)),
                section(
                        Code.MESSAGE_ANNOTATIONS,
                        map(
                                sym("x-opt-partition-key"), "session",
                                sym("x-opt-via-partition-key"), "via",
                                sym("x-opt-custom"), 5)),
                Wire.composite(
                        Code.PROPERTIES,
                        "id",
                        data("user"),
                        "to",
                        "subject",
                        "reply-to",
                        "correlation",
                        sym("text/plain"),
                        sym("gzip"),
                        null,
                        null,
                        "session",
                        uint(9),
                        "reply-session"),
                section(Code.DATA, data("body")),
                section(Code.FOOTER, map(sym("checksum"), 42))));

        Node properties = message.properties();
        assertThat(properties.at(0).text()).isEqualTo("id");
        assertThat(properties.at(1).bytes()).isEqualTo(data("user"));
        assertThat(properties.at(2).text()).isEqualTo("to");
        assertThat(properties.at(3).text()).isEqualTo("subject");
        assertThat(properties.at(4).text()).isEqualTo("reply-to");
        assertThat(properties.at(5).text()).isEqualTo("correlation");
        assertThat(properties.at(6).isSymbol()).isTrue();
        assertThat(properties.at(6).text()).isEqualTo("text/plain");
        assertThat(properties.at(7).text()).isEqualTo("gzip");
        assertThat(properties.at(10).text()).isEqualTo("session");
        assertThat(properties.at(11).number()).isEqualTo(9);
        assertThat(properties.at(12).text()).isEqualTo("reply-session");
        assertThat(message.header().at(1).number()).as("priority").isEqualTo(7);
        assertThat(message.annotation("x-opt-partition-key").text()).isEqualTo("session");
        assertThat(message.annotation("x-opt-via-partition-key").text()).isEqualTo("via");
        assertThat(message.annotation("x-opt-custom").number()).isEqualTo(5);
        assertThat(message.section(Code.FOOTER).get("checksum").number()).isEqualTo(42);
        assertThat(created).isBefore(Instant.now());
    }

    @Test
    @DisplayName("MSG-5: values only the broker may set are ignored when a sender sets them")
    void brokerValuesAreIgnored() {
        String queue = broker.queue();
        session.sender(queue)
                .sendAccepted(Wire.encode(
                        Wire.composite(Code.HEADER, true, null, null, false, uint(8)),
                        section(Code.DELIVERY_ANNOTATIONS, map(sym("x-opt-lock-token"), UUID.randomUUID())),
                        section(
                                Code.MESSAGE_ANNOTATIONS,
                                map(
                                        sym("x-opt-sequence-number"),
                                        4711L,
                                        sym("x-opt-enqueue-sequence-number"),
                                        4712L,
                                        sym("x-opt-enqueued-time"),
                                        Instant.EPOCH,
                                        sym("x-opt-locked-until"),
                                        Instant.EPOCH,
                                        sym("x-opt-deadletter-source"),
                                        "elsewhere",
                                        sym("x-opt-message-state"),
                                        1)),
                        section(Code.DATA, data("m"))));
        RawMessage message = session.receiver(queue).receiveOne().message();
        assertThat(message.deliveryCount()).isZero();
        assertThat(counter(message.sequenceNumber())).isEqualTo(1);
        assertThat(message.annotation("x-opt-enqueued-time").number())
                .isEqualTo(broker.now().toEpochMilli());
        assertThat(message.annotation("x-opt-locked-until").number())
                .isGreaterThan(broker.now().toEpochMilli());
        assertThat(message.annotation("x-opt-deadletter-source").isNull()).isTrue();
        assertThat(broker.counts(queue).deferred()).isZero();
    }

    private static byte[] batch(Object envelope, byte[]... messages) {
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        if (envelope != null) {
            batch.writeBytes(Wire.encode(envelope));
        }
        for (byte[] message : messages) {
            batch.writeBytes(Wire.encode(section(Code.DATA, message)));
        }
        return batch.toByteArray();
    }

    @Test
    @DisplayName("Wire 41: a batch is stored in order under one disposition, with or without envelope properties")
    void batch() {
        for (Object envelope : Arrays.asList(null, Wire.composite(Code.PROPERTIES, "first of batch"))) {
            String queue = broker.queue();
            RawLink sender = session.sender(queue);
            sender.expectAccepted(sender.sendBatch(batch(
                    envelope,
                    RawMessage.ofData("without properties"),
                    RawMessage.of("b", "b"),
                    RawMessage.of("c", "c"))));
            RawLink receiver = session.deletingReceiver(queue);
            for (String expected : List.of("without properties", "b", "c")) {
                assertThat(receiver.receiveOne().message().dataText()).isEqualTo(expected);
            }
            assertThat(receiver.drain(1)).isEmpty();
        }
    }

    @Test
    @DisplayName("MSG-8: one invalid message fails the whole batch")
    void batchIsAtomic() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        Node error = sender.awaitRejection(sender.sendBatch(batch(
                null,
                RawMessage.of("a", "a"),
                Wire.encode(Wire.composite(Code.HEADER, null, null, uint(0)), section(Code.DATA, data("ttl 0"))),
                RawMessage.of("c", "c"))));
        assertThat(error.at(1).text()).isNotEmpty();
        assertThat(broker.counts(queue).total()).isZero();
        Node garbled =
                sender.awaitRejection(sender.sendBatch(batch(null, RawMessage.ofData("a"), new byte[] {0, 1, 2})));
        assertThat(garbled.at(1).text()).isNotEmpty();
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("Wire 41: scheduled times of inner messages are applied")
    void batchWithScheduledMessage() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        byte[] later = Wire.encode(
                section(
                        Code.MESSAGE_ANNOTATIONS,
                        map(sym("x-opt-scheduled-enqueue-time"), broker.now().plusSeconds(60))),
                section(Code.DATA, data("later")));
        sender.expectAccepted(sender.sendBatch(batch(null, RawMessage.ofData("now"), later)));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 42: ttl sets expiry; the received message has creation, expiry and the time between")
    void timeToLive() {
        RawMessage message = sendAndReceive(
                Wire.encode(Wire.composite(Code.HEADER, null, null, uint(90_000)), section(Code.DATA, data("m"))));
        assertThat(message.header().at(2).number()).isEqualTo(90_000);
        Node expiry = message.properties().at(8);
        Node creation = message.properties().at(9);
        assertThat(expiry.isTimestamp()).isTrue();
        assertThat(expiry.number() - creation.number()).isEqualTo(90_000);
    }

    @Test
    @DisplayName(
            "TTL-17, wire 4.2: without a time to live the header has the largest ttl, and the expiry time is the last")
    void noTimeToLive() {
        RawMessage message = sendAndReceive(RawMessage.of("m", "m"));
        assertEndless(message);
    }

    private static void assertEndless(RawMessage message) {
        assertThat(message.header().at(2).number()).isEqualTo(0xffffffffL);
        assertThat(message.properties().at(8).number())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli());
        assertThat(message.properties().at(9).isNull()).isFalse();
    }

    @Test
    @DisplayName("MSG-7: a ttl beyond 32 bits is sent as expiry minus creation; an expiry alone is ignored")
    void longTimeToLive() {
        Instant created = Instant.ofEpochMilli(1_000_000);
        Duration sixtyDays = Duration.ofDays(60);
        RawMessage message = sendAndReceive(Wire.encode(
                Wire.composite(Code.HEADER, null, null, uint(0xffffffffL)),
                Wire.composite(
                        Code.PROPERTIES,
                        "m",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        created.plus(sixtyDays),
                        created),
                section(Code.DATA, data("m"))));
        assertThat(message.properties().at(8).number()
                        - message.properties().at(9).number())
                .isEqualTo(sixtyDays.toMillis());

        RawMessage alone = sendAndReceive(Wire.encode(
                Wire.composite(Code.PROPERTIES, "m", null, null, null, null, null, null, null, created),
                section(Code.DATA, data("m"))));
        assertEndless(alone);
    }

    @Test
    @DisplayName("TTL-2: a ttl of zero is refused as an argument error")
    void zeroTimeToLive() {
        Node error =
                refusal(Wire.encode(Wire.composite(Code.HEADER, null, null, uint(0)), section(Code.DATA, data("m"))));
        assertThat(error.at(0).text()).isEqualTo("com.microsoft:argument-error");
    }

    @Test
    @DisplayName("Wire 43: a scheduled annotation delays the delivery")
    void scheduledAnnotation() {
        String queue = broker.queue();
        session.sender(queue)
                .sendAccepted(Wire.encode(
                        section(
                                Code.MESSAGE_ANNOTATIONS,
                                map(
                                        sym("x-opt-scheduled-enqueue-time"),
                                        broker.now().plusSeconds(60))),
                        section(Code.DATA, data("later"))));
        RawLink receiver = session.receiver(queue);
        assertThat(receiver.drain(1)).isEmpty();
        broker.advance(Duration.ofSeconds(60));
        RawMessage message = receiver.receiveOne().message();
        assertThat(message.dataText()).isEqualTo("later");
        assertThat(message.annotation("x-opt-scheduled-enqueue-time").number())
                .isEqualTo(broker.now().toEpochMilli());
    }

    @Test
    @DisplayName("Wire 44, QUOTA-5: a message above the limit is refused by its size, one at the limit is not")
    void sizeLimit() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        int limit = (int) sender.maxMessageSize();
        int overhead = RawMessage.ofData("x".repeat(1000)).length - 1000;
        sender.sendAccepted(RawMessage.ofData("x".repeat(limit - overhead)));

        long id = sender.send(RawMessage.ofData("x".repeat(limit - overhead + 1)));
        RawFrame answer = peer.connection()
                .await("a refusal", f -> (f.is(Code.DISPOSITION) && f.field(1).number() == id) || f.is(Code.DETACH));
        Node error = answer.is(Code.DETACH) ? answer.field(2) : answer.field(4).at(0);
        assertThat(error.at(0).text()).isEqualTo("amqp:link:message-size-exceeded");
        assertThat(broker.counts(queue).total()).isEqualTo(1);
        session.sender(queue).sendAccepted(RawMessage.ofData("others go on"));
    }

    @Test
    @DisplayName("Wire 45: message ids of every type are preserved")
    void messageIdTypes() {
        UUID uuid = UUID.randomUUID();
        assertThat(idOf(Wire.ulong(77)).number()).isEqualTo(77);
        assertThat(idOf(Wire.ulong(77)).code()).isIn(0x80, 0x53);
        assertThat(idOf(uuid).uuid()).isEqualTo(uuid);
        assertThat(idOf(new byte[] {1, 2, 3}).bytes()).containsExactly(1, 2, 3);
        assertThat(idOf("text").text()).isEqualTo("text");
    }

    private Node idOf(Object id) {
        return sendAndReceive(Wire.encode(Wire.composite(Code.PROPERTIES, id), section(Code.DATA, data("m"))))
                .properties()
                .at(0);
    }

    @Test
    @DisplayName("Wire 46: large messages of two links of one session, with alternating frames, arrive intact")
    void interleavedLargeMessages() {
        String one = broker.queue();
        String two = broker.queue();
        RawLink first = session.sender(one);
        RawLink second = session.sender(two);
        byte[] a = RawMessage.ofData("a".repeat(200_000));
        byte[] b = RawMessage.ofData("b".repeat(200_000));
        long idA = first.takeDeliveryId();
        long idB = second.takeDeliveryId();
        int part = 10_000;
        for (int from = 0; from < a.length; from += part) {
            int to = Math.min(a.length, from + part);
            first.sendPart(idA, from == 0, 0, false, to < a.length, Arrays.copyOfRange(a, from, to));
            second.sendPart(idB, from == 0, 0, false, to < b.length, Arrays.copyOfRange(b, from, to));
        }
        first.expectAccepted(idA);
        second.expectAccepted(idB);
        RawSession reading = peer.begin();
        RawLink readsOne = reading.deletingReceiver(one);
        RawLink readsTwo = reading.deletingReceiver(two);
        readsOne.credit(1);
        readsTwo.credit(1);
        assertThat(readsOne.receive().payload()).endsWith(a);
        assertThat(readsTwo.receive().payload()).endsWith(b);
    }

    @Test
    @DisplayName("A delivery that is aborted in the middle has no effect")
    void abortedDelivery() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        long id = sender.takeDeliveryId();
        sender.sendPart(id, true, 0, false, true, new byte[1000]);
        session.send(Wire.composite(
                Code.TRANSFER, uint(sender.handle()), null, null, null, null, false, null, null, null, true));
        sender.sendAccepted(RawMessage.ofData("next"));
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("MSG-2: a pre-settled message is stored without a disposition")
    void preSettled() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        sender.sendSettled(RawMessage.ofData("fire and forget"));
        sender.sendAccepted(RawMessage.ofData("asked"));
        assertThat(broker.counts(queue).active()).isEqualTo(2);
        assertThat(peer.connection().frames().stream().filter(f -> f.is(Code.DISPOSITION)))
                .as("disposition for the second message only")
                .hasSize(1);
    }

    @Test
    @DisplayName("MSG-2: a pre-settled message that is rejected is lost without an error")
    void preSettledRefused() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        broker.status(queue, EntityStatus.SEND_DISABLED);
        sender.sendSettled(RawMessage.ofData("lost"));
        broker.status(queue, EntityStatus.ACTIVE);
        session.sender(queue).sendAccepted(RawMessage.ofData("kept"));
        assertThat(session.deletingReceiver(queue).receiveOne().message().dataText())
                .isIn("kept", "lost");
    }

    @Test
    @DisplayName("MSG-3, QUOTA-6: ids and keys of 128 characters pass, 129 are refused")
    void idLengths() {
        String longest = "x".repeat(128);
        session.sender(broker.queue())
                .sendAccepted(Wire.encode(
                        section(Code.MESSAGE_ANNOTATIONS, map(sym("x-opt-partition-key"), longest)),
                        Wire.composite(
                                Code.PROPERTIES,
                                longest,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                longest)));
        String tooLong = "x".repeat(129);
        for (byte[] bad : List.of(
                Wire.encode(Wire.composite(Code.PROPERTIES, tooLong)),
                Wire.encode(Wire.composite(
                        Code.PROPERTIES, "m", null, null, null, null, null, null, null, null, null, tooLong)),
                Wire.encode(Wire.composite(
                        Code.PROPERTIES,
                        "m",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        tooLong)),
                Wire.encode(section(Code.MESSAGE_ANNOTATIONS, map(sym("x-opt-partition-key"), tooLong))),
                Wire.encode(section(Code.MESSAGE_ANNOTATIONS, map(sym("x-opt-via-partition-key"), tooLong))))) {
            assertThat(refusal(bad).at(0).text()).isEqualTo("com.microsoft:argument-error");
        }
    }

    @Test
    @DisplayName("QUOTA-6: a property above 32 KB and properties above 64 KB are refused")
    void propertySizes() {
        Map<Object, Object> oneTooLarge = map("p", "x".repeat(32 * 1024 + 1));
        Map<Object, Object> allTooLarge =
                map("p", "x".repeat(30_000), "q", "x".repeat(30_000), "r", "x".repeat(30_000));
        for (Map<Object, Object> properties : List.of(oneTooLarge, allTooLarge)) {
            Node error = refusal(
                    Wire.encode(section(Code.APPLICATION_PROPERTIES, properties), section(Code.DATA, data("m"))));
            assertThat(error.at(0).text()).isEqualTo("com.microsoft:argument-error");
        }
        session.sender(broker.queue())
                .sendAccepted(Wire.encode(
                        section(Code.APPLICATION_PROPERTIES, map("p", "x".repeat(32_000))),
                        section(Code.DATA, data("m"))));
    }

    @Test
    @DisplayName("Wire 54: invalid messages are rejected with a condition and a text, and the link continues")
    void garbledMessages() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        for (byte[] garbled : List.of(
                new byte[] {1, 2, 3},
                Wire.encode("no section"),
                Wire.encode(section(0x79, "unknown section")),
                Wire.encode(Wire.composite(Code.PROPERTIES, list("an id cannot be a list"))),
                Wire.encode(section(Code.APPLICATION_PROPERTIES, "not a map")),
                Wire.encode(section(Code.DATA, "not binary")),
                new byte[] {0x00, 0x53, 0x75, (byte) 0xb0, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff},
                new byte[] {0x00, 0x53, 0x77, (byte) 0xd0, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0, 0, 0, 0})) {
            Node error = sender.awaitRejection(sender.send(garbled));
            assertThat(error.at(0).isSymbol()).isTrue();
            assertThat(error.at(1).text()).isNotEmpty();
        }
        assertThat(broker.counts(queue).total()).isZero();
        sender.sendAccepted(RawMessage.ofData("fine"));
    }

    @Test
    @DisplayName("GEN-1: a rejection has a reason, a tracking id and a timestamp")
    void refusalText() {
        Node error =
                refusal(Wire.encode(Wire.composite(Code.HEADER, null, null, uint(0)), section(Code.DATA, data("m"))));
        assertThat(error.at(1).text()).contains("TrackingId:").contains("Timestamp:");
    }

    @Test
    @DisplayName("SUSP-1: a send to a disabled queue over an open link is rejected as disabled")
    void disabledWhileAttached() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        broker.status(queue, EntityStatus.DISABLED);
        long id = sender.send(RawMessage.ofData("m"));
        RawFrame answer = peer.connection()
                .await("a refusal", f -> (f.is(Code.DISPOSITION) && f.field(1).number() == id) || f.is(Code.DETACH));
        Node error = answer.is(Code.DETACH) ? answer.field(2) : answer.field(4).at(0);
        assertThat(error.at(0).text()).isIn("com.microsoft:entity-disabled", "amqp:link:detach-forced");
        assertThat(session.trySender(queue).awaitDetachCondition()).isEqualTo("com.microsoft:entity-disabled");
    }

    @Test
    @DisplayName("Many transfers in flight get dispositions in order, in ranges or one by one")
    void pipelinedSends() {
        String queue = broker.queue();
        RawPeer other = keep(newPeer());
        RawLink sender = other.begin().sender(queue);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            ids.add(sender.send(inOrder("m" + i, "m" + i)));
        }
        RawLink receiver = session.deletingReceiver(queue);
        receiver.credit(90);
        for (int i = 0; i < 90; i++) {
            assertThat(receiver.receive().message().dataText()).isEqualTo("m" + i);
        }
        assertThat(broker.counts(queue).total()).isZero();
    }
}
