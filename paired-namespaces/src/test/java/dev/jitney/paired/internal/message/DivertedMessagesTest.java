package dev.jitney.paired.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class DivertedMessagesTest {
    private static final OffsetDateTime LATER = OffsetDateTime.of(2027, 1, 2, 3, 4, 5, 678_000_000, ZoneOffset.UTC);

    /** Returns a message with every property that an application can set. */
    private static ServiceBusMessage full() {
        ServiceBusMessage message = new ServiceBusMessage("body")
                .setMessageId("id")
                .setCorrelationId("correlation")
                .setContentType("text/plain")
                .setSubject("subject")
                .setTo("to")
                .setReplyTo("reply")
                .setReplyToSessionId("reply session")
                .setSessionId("session")
                .setPartitionKey("session")
                .setTimeToLive(Duration.ofHours(1))
                .setScheduledEnqueueTime(LATER);
        message.getRawAmqpMessage().getProperties().setContentEncoding("utf-8");
        message.getRawAmqpMessage().getProperties().setGroupSequence(7L);
        message.getRawAmqpMessage().getProperties().setUserId(new byte[] {1, 2});
        message.getRawAmqpMessage().getMessageAnnotations().put("x-opt-via-partition-key", "via");
        message.getRawAmqpMessage().getMessageAnnotations().put("x-own", 5);
        message.getApplicationProperties()
                .putAll(Map.of(
                        "string",
                        "text",
                        "int",
                        1,
                        "long",
                        2L,
                        "double",
                        3.5,
                        "boolean",
                        true,
                        "uuid",
                        new UUID(1, 2),
                        "duration",
                        Duration.ofMillis(1500),
                        "date",
                        Date.from(LATER.toInstant())));
        return message;
    }

    private static DivertedMessages.Restored home(ServiceBusMessage altered) throws NotDivertedException {
        return DivertedMessages.restore(Wire.receive(altered).getRawAmqpMessage());
    }

    @Test
    @DisplayName("PAIR-38: session id, time to live and schedule move into aliases, and the path is added")
    void movesThreePropertiesIntoAliases() {
        ServiceBusMessage altered = DivertedMessages.alter(full(), "Orders/In");

        assertThat(altered.getSessionId()).isNull();
        assertThat(altered.getTimeToLive()).isNull();
        assertThat(altered.getScheduledEnqueueTime()).isNull();
        assertThat(altered.getApplicationProperties())
                .containsEntry("x-ms-sessionid", "session")
                .containsEntry("x-ms-timetolive", Duration.ofHours(1))
                .containsEntry("x-ms-scheduledenqueuetimeutc", Date.from(LATER.toInstant()))
                .containsEntry("x-ms-path", "Orders/In")
                .hasSize(8 + 4);
    }

    @Test
    @DisplayName("PAIR-38, PAIR-56: all other properties stay, including message id and both partition keys")
    void leavesEverythingElse() {
        ServiceBusMessage original = full();
        ServiceBusMessage altered = DivertedMessages.alter(original, "orders");

        assertThat(altered.getBody().toString()).isEqualTo("body");
        assertThat(altered.getMessageId()).isEqualTo("id");
        assertThat(altered.getPartitionKey()).isEqualTo("session");
        assertThat(altered.getRawAmqpMessage().getMessageAnnotations())
                .containsEntry("x-opt-via-partition-key", "via")
                .containsEntry("x-own", 5);
        assertThat(altered.getRawAmqpMessage().getProperties())
                .usingRecursiveComparison()
                .ignoringFields("groupId")
                .isEqualTo(original.getRawAmqpMessage().getProperties());
        assertThat(altered.getApplicationProperties()).containsAllEntriesOf(original.getApplicationProperties());
    }

    @Test
    @DisplayName(
            "PAIR-43, PAIR-55, PAIR-56: a message without an id gets one in the backlog and keeps it in the primary;"
                    + " the caller's message stays without")
    void givesAMessageWithoutAnIdOne() throws NotDivertedException {
        ServiceBusMessage original = new ServiceBusMessage("b");
        ServiceBusMessage altered = DivertedMessages.alter(original, "orders");

        assertThat(altered.getMessageId()).isNotBlank();
        assertThat(home(altered).message().getMessageId()).isEqualTo(altered.getMessageId());
        assertThat(DivertedMessages.alter(original, "orders").getMessageId()).isNotEqualTo(altered.getMessageId());
        assertThat(original.getMessageId()).isNull();
    }

    @Test
    @DisplayName("PAIR-38: a message with a property of an alias's name is refused, since one value would be lost")
    void refusesPropertiesNamedLikeAliases() {
        ServiceBusMessage message = new ServiceBusMessage("b");
        message.getApplicationProperties().put("x-ms-path", "elsewhere");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> DivertedMessages.alter(message, "orders"))
                .withMessageContaining("x-ms-path");
    }

    @Test
    @DisplayName("PAIR-38: a missing property gets no alias, and neither does an unlimited time to live")
    void writesNoAliasForWhatIsNotSet() {
        ServiceBusMessage plain = DivertedMessages.alter(new ServiceBusMessage("b"), "orders");
        ServiceBusMessage lasting =
                DivertedMessages.alter(new ServiceBusMessage("b").setTimeToLive(DivertedMessages.FOR_EVER), "orders");

        assertThat(plain.getApplicationProperties()).containsOnlyKeys("x-ms-path");
        assertThat(lasting.getApplicationProperties()).containsOnlyKeys("x-ms-path");
        assertThat(lasting.getTimeToLive()).isNull();
    }

    @Test
    @DisplayName("PAIR-51, PAIR-38, C-1: after the way through the backlog a message has the same bytes")
    void restoresWhatWasSent() throws NotDivertedException {
        ServiceBusMessage original = full();

        DivertedMessages.Restored restored = home(DivertedMessages.alter(original, "Orders/In"));

        assertThat(restored.path()).isEqualTo("Orders/In");
        ServiceBusReceivedMessage arrived = Wire.receive(restored.message());
        ServiceBusReceivedMessage direct = Wire.receive(original);
        assertThat(arrived.getRawAmqpMessage()).usingRecursiveComparison().isEqualTo(direct.getRawAmqpMessage());
        assertThat(arrived.getSessionId()).isEqualTo("session");
        assertThat(arrived.getTimeToLive()).isEqualTo(Duration.ofHours(1));
        assertThat(arrived.getScheduledEnqueueTime()).isEqualTo(LATER);
        assertThat(arrived.getApplicationProperties().keySet()).noneMatch(name -> name.startsWith("x-ms-"));
    }

    @Test
    @DisplayName("PAIR-51: values that a broker sets in the backlog are not sent to the primary")
    void leavesTheBrokersWordsBehind() throws NotDivertedException {
        AmqpAnnotatedMessage delivered =
                DivertedMessages.alter(new ServiceBusMessage("b"), "orders").getRawAmqpMessage();
        for (String name : List.of(
                "x-opt-sequence-number",
                "x-opt-enqueued-time",
                "x-opt-locked-until",
                "x-opt-enqueue-sequence-number")) {
            delivered.getMessageAnnotations().put(name, 1L);
        }
        delivered.getHeader().setTimeToLive(DivertedMessages.FOR_EVER).setDeliveryCount(3L);
        delivered.getProperties().setAbsoluteExpiryTime(LATER).setCreationTime(LATER);

        AmqpAnnotatedMessage home =
                DivertedMessages.restore(delivered).message().getRawAmqpMessage();

        assertThat(home.getMessageAnnotations()).isEmpty();
        assertThat(home.getHeader().getTimeToLive()).isNull();
        assertThat(home.getHeader().getDeliveryCount()).isNull();
        assertThat(home.getProperties().getAbsoluteExpiryTime()).isNull();
        assertThat(home.getProperties().getCreationTime()).isNull();
    }

    @Test
    @DisplayName("PAIR-51: value and sequence bodies keep their form")
    void carriesOtherBodies() throws NotDivertedException {
        ServiceBusMessage value = new ServiceBusMessage(AmqpMessageBody.fromValue("v"));
        ServiceBusMessage sequence = new ServiceBusMessage(AmqpMessageBody.fromSequence(List.of("a", 1L)));

        assertThat(home(DivertedMessages.alter(value, "q"))
                        .message()
                        .getRawAmqpMessage()
                        .getBody()
                        .getValue())
                .isEqualTo("v");
        assertThat(home(DivertedMessages.alter(sequence, "q"))
                        .message()
                        .getRawAmqpMessage()
                        .getBody()
                        .getSequence())
                .containsExactly("a", 1L);
    }

    @Test
    @DisplayName("PAIR-55: the caller's message stays unchanged and can be sent again")
    void leavesTheCallersMessage() {
        ServiceBusMessage message = full();
        byte[] before = Wire.bytes(message);

        ServiceBusMessage altered = DivertedMessages.alter(message, "orders");
        altered.getApplicationProperties().put("more", 1);
        altered.setSubject("changed");

        assertThat(Wire.bytes(message)).isEqualTo(before);
        assertThat(DivertedMessages.alter(message, "orders").getApplicationProperties())
                .doesNotContainKey("more");
    }

    @Test
    @DisplayName("PAIR-55: the SDK reads a stream once, so that its message can be copied")
    void copiesWhatCameFromAStream() {
        BinaryData stream =
                BinaryData.fromStream(new ByteArrayInputStream("flow".getBytes(StandardCharsets.UTF_8)), 4L);
        ServiceBusMessage message = new ServiceBusMessage(stream);

        assertThat(DivertedMessages.alter(message, "q").getBody().toString()).isEqualTo("flow");
        assertThat(message.getBody().toString()).isEqualTo("flow");
    }

    @Test
    @DisplayName("PAIR-55: a body of several data sections, which the SDK cannot send, is not diverted")
    void refusesWhatCannotBeCopied() {
        AmqpMessageBody sections = AmqpMessageBody.fromData(new byte[] {1});
        ServiceBusMessage message = new ServiceBusMessage(SeveralSections.of(sections));

        assertThatIllegalStateException()
                .isThrownBy(() -> DivertedMessages.alter(message, "q"))
                .withMessageContaining("cannot be copied");
    }

    @Test
    @DisplayName("PAIR-56: a time to live that the primary's sender could not send is refused instead of staying"
            + " in the backlog forever")
    void refusesATimeToLiveThatCannotBeSent() {
        ServiceBusMessage message = new ServiceBusMessage("b").setTimeToLive(Duration.ofDays(50));

        assertThatThrownBy(() -> Wire.bytes(message)).isInstanceOf(IllegalArgumentException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DivertedMessages.alter(message, "q"))
                .withMessageContaining("4294967295 ms");
    }

    @Test
    @DisplayName("PAIR-50: the path keeps its case")
    void keepsThePath() throws NotDivertedException {
        for (String path : List.of("q", "a/b/c", "Thema/Ü", "x".repeat(260))) {
            assertThat(home(DivertedMessages.alter(new ServiceBusMessage("b"), path))
                            .path())
                    .isEqualTo(path);
        }
    }

    @Test
    @DisplayName("PAIR-45: a message without x-ms-path is not a diverted message")
    void refusesAForeignMessage() {
        assertThatThrownBy(() -> home(new ServiceBusMessage("b")))
                .isInstanceOf(NotDivertedException.class)
                .hasMessageContaining("x-ms-path");
        ServiceBusMessage blank = new ServiceBusMessage("b");
        blank.getApplicationProperties().put("x-ms-path", "  ");
        assertThatThrownBy(() -> home(blank)).isInstanceOf(NotDivertedException.class);
    }

    record WrongType(String alias, Object value) {
        @Override
        public String toString() {
            return alias + " of " + value.getClass().getSimpleName();
        }
    }

    static WrongType[] wrongTypes() {
        return new WrongType[] {
            new WrongType("x-ms-path", new Date(0)),
            new WrongType("x-ms-path", 5),
            new WrongType("x-ms-sessionid", 5L),
            new WrongType("x-ms-sessionid", Duration.ofSeconds(1)),
            new WrongType("x-ms-timetolive", "01:00:00"),
            new WrongType("x-ms-timetolive", 3_600_000L),
            new WrongType("x-ms-timetolive", Duration.ofSeconds(-1)),
            new WrongType("x-ms-scheduledenqueuetimeutc", "2027-01-01"),
            new WrongType("x-ms-scheduledenqueuetimeutc", Duration.ofSeconds(1)),
        };
    }

    @ParameterizedTest(name = "PAIR-46: {0}")
    @MethodSource("wrongTypes")
    @DisplayName("PAIR-46, C-1: an alias of the wrong type is refused with the name of the alias")
    void refusesAnAliasOfTheWrongType(WrongType wrong) {
        ServiceBusMessage message = DivertedMessages.alter(new ServiceBusMessage("b"), "q");
        message.getApplicationProperties().put(wrong.alias(), wrong.value());

        assertThatThrownBy(() -> home(message))
                .isInstanceOf(NotDivertedException.class)
                .hasMessageContaining(wrong.alias());
    }

    @ParameterizedTest(name = "PAIR-33: seed {0}")
    @CsvSource({"1", "2"})
    @DisplayName("PAIR-32, PAIR-33: a ping is empty, with a time to live of one second, its content type and a"
            + " random session id")
    void pingsAreEmpty(long seed) {
        Random random = new Random(seed);
        ServiceBusReceivedMessage ping = Wire.receive(Pings.create(random));

        assertThat(ping.getBody().toBytes()).isEmpty();
        assertThat(ping.getContentType()).isEqualTo("application/vnd.ms-servicebus-ping");
        assertThat(ping.getTimeToLive()).isEqualTo(Duration.ofSeconds(1));
        assertThat(ping.getSessionId())
                .isNotBlank()
                .isNotEqualTo(Pings.create(random).getSessionId());
        assertThat(ping.getApplicationProperties()).isEmpty();
    }
}
