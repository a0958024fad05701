package dev.jitney.gateway.amqp.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.Views;
import dev.jitney.codec.Wire;
import dev.jitney.core.Command;
import dev.jitney.core.CommandKind;
import dev.jitney.core.Reply;
import dev.jitney.gateway.amqp.message.ErrorText;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.RecordingEntity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.DeliveryAnnotations;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManagementNodeTest {
    private static final UUID TOKEN = Views.TOKEN;
    private static final UUID OTHER_TOKEN = UUID.fromString("11111111-2222-3333-4444-555555555555");

    private final RecordingEntity entity = new RecordingEntity();
    private final List<Response> responses = new ArrayList<>();
    private final List<AccessRight> asked = new ArrayList<>();
    private String path = "orders/$management";
    private Rejection denial;
    private final Map<String, Entity> transfers = new HashMap<>();
    private String linkName;

    private record Response(Object correlationId, String replyTo, ProtonBuffer encoded) {
        Map<String, Object> properties() {
            return Wire.section(encoded, ApplicationProperties.class).getValue();
        }

        int status() {
            return (Integer) properties().get("statusCode");
        }

        Object condition() {
            return properties().get("errorCondition");
        }

        String description() {
            return (String) properties().get("statusDescription");
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> body() {
            return (Map<String, Object>) Wire.section(encoded, AmqpValue.class).getValue();
        }
    }

    @Test
    @DisplayName("Peek answers with a list of maps that contain complete messages (PEEK-1, checklist 56)")
    void peeks() {
        MessageView scheduled = new MessageView(
                MessageEnvelope.builder()
                        .sequenceNumber(12)
                        .enqueuedSequenceNumber(12)
                        .enqueuedTimeMs(1_000)
                        .scheduledEnqueueTimeMs(5_000)
                        .build(),
                MessageState.SCHEDULED,
                null,
                0,
                content());
        entity.replying(new Reply.Messages(List.of(scheduled, scheduled)));
        Response response = ask("peek-message", Map.of("from-sequence-number", 3L, "message-count", 10));
        assertThat(entity.commands()).containsExactly(new Command.PeekMessages(SubQueue.MAIN, 3, 10, null));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.description()).isNotEmpty();
        List<?> messages = (List<?>) response.body().get("messages");
        assertThat(messages).hasSize(2);
        Map<?, ?> entry = (Map<?, ?>) messages.get(0);
        assertThat(entry.keySet()).isEqualTo(java.util.Set.of("message"));
        ProtonBuffer message = ((Binary) entry.get("message")).asProtonBuffer();
        assertThat(Wire.section(message, MessageAnnotations.class).getValue())
                .containsEntry(Symbol.valueOf("x-opt-sequence-number"), 12L)
                .containsEntry(Symbol.valueOf("x-opt-message-state"), 2);
        assertThat(Wire.section(message, Header.class)).isNotNull();
        assertThat(asked).containsExactly(AccessRight.LISTEN);
    }

    @Test
    @DisplayName("A peeked message of a partitioned entity has the number of its partition (MSG-4, wire 4.4)")
    void peeksInPartitions() {
        MessageView message = new MessageView(
                MessageEnvelope.builder().sequenceNumber(5L << 48 | 1).build(),
                MessageState.ACTIVE,
                null,
                0,
                content());
        entity.partitioned().replying(new Reply.Messages(List.of(message)));
        Response response = ask("peek-message", Map.of("from-sequence-number", 1L, "message-count", 1));
        Map<?, ?> entry = (Map<?, ?>) ((List<?>) response.body().get("messages")).get(0);
        ProtonBuffer encoded = ((Binary) entry.get("message")).asProtonBuffer();
        assertThat(Wire.section(encoded, MessageAnnotations.class).getValue())
                .containsEntry(Symbol.valueOf("x-opt-partition-id"), (short) 5);
    }

    @Test
    @DisplayName("A peek may omit the bodies (wire 6.2)")
    void peeksWithoutBodies() {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer body = ByteBuffer.wrap(Wire.bytes(Wire.encode(new Data(new byte[] {1, 2, 3}))));
        MessageContent content = MessageContent.of(true, 4, false, nothing, nothing, nothing, body);
        entity.replying(new Reply.Messages(List.of(Views.view(content, MessageView.NEVER, Map.of()))));
        for (boolean omitted : new boolean[] {true, false}) {
            Response response = ask(
                    "peek-message",
                    Map.of("from-sequence-number", 1L, "message-count", 1, "omit-message-body", omitted));
            Map<?, ?> entry = (Map<?, ?>) ((List<?>) response.body().get("messages")).get(0);
            ProtonBuffer message = ((Binary) entry.get("message")).asProtonBuffer();
            assertThat(Wire.decode(message).stream().anyMatch(Data.class::isInstance))
                    .isEqualTo(!omitted);
        }
        assertThat(ask("peek-message", Map.of("from-sequence-number", 1L, "message-count", 1, "omit-message-body", 1))
                        .status())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("An empty peek answers 204 with an empty map (PEEK-4)")
    void peeksNothing() {
        entity.replying(new Reply.Messages(List.of()));
        Response response = ask(
                "peek-message",
                Map.of("from-sequence-number", 1L, "message-count", 1, "session-id", "s", "omit-message-body", true));
        assertThat(entity.commands()).containsExactly(new Command.PeekMessages(SubQueue.MAIN, 1, 1, "s"));
        assertThat(response.status()).isEqualTo(204);
        assertThat(response.body()).isEmpty();
        assertThat(response.properties()).doesNotContainKey("errorCondition");
    }

    @Test
    @DisplayName("The address selects the dead-letter queue (DLQ-34)")
    void peeksTheDeadLetterQueue() {
        path = "orders/$DeadLetterQueue/$management";
        entity.replying(new Reply.Messages(List.of()));
        ask("peek-message", Map.of("from-sequence-number", UnsignedInteger.valueOf(4), "message-count", 5L));
        assertThat(entity.commands()).containsExactly(new Command.PeekMessages(SubQueue.DEAD_LETTER, 4, 5, null));
    }

    @Test
    @DisplayName("Renewals answer with an array of timestamps in order (LOCK-5, checklist 57)")
    void renewsLocks() {
        entity.replying(new Reply.LocksRenewed(new long[] {1_000, 2_000}));
        Response response = ask("renew-lock", Map.of("lock-tokens", new UUID[] {TOKEN, OTHER_TOKEN}));
        assertThat(entity.commands()).containsExactly(new Command.RenewLocks(List.of(TOKEN, OTHER_TOKEN)));
        assertThat(response.status()).isEqualTo(200);
        assertThat(entry(response, "expirations"))
                .startsWith(Wire.hex("f0 00000015 00000002 83 00000000000003e8 00000000000007d0"));
    }

    @Test
    @DisplayName("A lost lock answers 410 message-lock-lost with a symbol as condition (checklist 57)")
    void tellsLostLocks() {
        entity.rejecting(Rejection.of(ErrorCode.MESSAGE_LOCK_LOST));
        Response response = ask("renew-lock", Map.of("lock-tokens", List.of(TOKEN)));
        assertThat(response.status()).isEqualTo(410);
        assertThat(response.condition()).isEqualTo(Symbol.valueOf("com.microsoft:message-lock-lost"));
        assertThat(response.description())
                .startsWith("The lock supplied is invalid.")
                .containsPattern(
                        "TrackingId:[0-9a-f-]{36}, SystemTracker:ns:Queue:orders, Timestamp:1970-01-01T00:01:40Z$");
        assertThat(response.body()).isEmpty();
    }

    @Test
    @DisplayName("Scheduling answers with an array of longs (SCHED-1, checklist 58)")
    void schedules() {
        entity.replying(new Reply.Sent(new long[] {4, 5}));
        Response response = ask(
                "schedule-message",
                Map.of(
                        "messages",
                        List.of(
                                Map.of("message", scheduledMessage("a"), "message-id", "a"),
                                Map.of("message", scheduledMessage("b"), "message-id", "b"))));
        Command.SendMessages command = (Command.SendMessages) entity.commands().get(0);
        assertThat(command.messages()).extracting(IncomingMessage::messageId).containsExactly("a", "b");
        assertThat(command.messages())
                .extracting(IncomingMessage::scheduledEnqueueTimeMs)
                .containsOnly(99_000L);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body().get("sequence-numbers")).isEqualTo(new long[] {4, 5});
        assertThat(entry(response, "sequence-numbers"))
                .startsWith(Wire.hex("f0 00000015 00000002 81 0000000000000004"));
        assertThat(asked).containsExactly(AccessRight.SEND);
    }

    @Test
    @DisplayName("A request with many tiny messages to schedule is bounded by the memory of their objects (QUOTA-8)")
    void schedulesTiny() {
        Binary tiny = scheduledMessage("");
        int count = (16 << 20) / 300;
        Response response =
                ask("schedule-message", Map.of("messages", Collections.nCopies(count, Map.of("message", tiny))));
        assertRefused(response, ErrorCode.MESSAGE_SIZE_EXCEEDED, "Schedule fewer at a time");
        assertThat(entity.commands()).isEmpty();
    }

    @Test
    @DisplayName("A client that schedules through a link that sends via the entity means the link's destination"
            + " (TX-4, wire 6.1)")
    void schedulesViaTheEntity() {
        RecordingEntity destination = new RecordingEntity().replying(new Reply.Sent(new long[] {9}));
        transfers.put("via-link", destination);
        entity.replying(new Reply.Sent(new long[] {4}));
        Map<String, Object> arguments = Map.of("messages", List.of(Map.of("message", scheduledMessage("a"))));
        linkName = "via-link";
        assertThat(ask("schedule-message", arguments).body().get("sequence-numbers"))
                .isEqualTo(new long[] {9});
        assertThat(destination.commands()).hasSize(1);
        assertThat(entity.commands()).isEmpty();
        linkName = "another-link";
        assertThat(ask("schedule-message", arguments).body().get("sequence-numbers"))
                .isEqualTo(new long[] {4});
    }

    @Test
    @DisplayName("One message without a time fails the whole request (wire 6.4)")
    void schedulesAllOrNothing() {
        Binary withoutTime = new Binary(Wire.bytes(Wire.encode(new Data(new byte[1]))));
        Response response = ask(
                "schedule-message",
                Map.of("messages", List.of(Map.of("message", scheduledMessage("a")), Map.of("message", withoutTime))));
        assertRefused(response, ErrorCode.ARGUMENT, "x-opt-scheduled-enqueue-time");
    }

    @Test
    @DisplayName("A message that cannot be decoded fails the request (wire 6.4)")
    void refusesDamagedScheduledMessages() {
        Response response =
                ask("schedule-message", Map.of("messages", List.of(Map.of("message", new Binary(new byte[] {1, 2, 3
                })))));
        assertRefused(response, ErrorCode.DECODE_ERROR, "message section");
    }

    @Test
    @DisplayName("Cancel accepts numbers of any width, as list or array (SCHED-4)")
    void cancels() {
        assertThat(ask("cancel-scheduled-message", Map.of("sequence-numbers", new long[] {4, 5}))
                        .status())
                .isEqualTo(200);
        ask(
                "cancel-scheduled-message",
                Map.of("sequence-numbers", List.of(4, UnsignedLong.valueOf(5L), (short) 6, (byte) 7)));
        assertThat(entity.commands())
                .containsExactly(
                        new Command.CancelScheduledMessages(List.of(4L, 5L)),
                        new Command.CancelScheduledMessages(List.of(4L, 5L, 6L, 7L)));
        entity.rejecting(Rejection.of(ErrorCode.MESSAGE_NOT_FOUND));
        Response second = ask("cancel-scheduled-message", Map.of("sequence-numbers", new long[] {4}));
        assertThat(second.status()).isEqualTo(404);
        assertThat(second.condition()).isEqualTo(Symbol.valueOf("com.microsoft:message-not-found"));
    }

    @Test
    @DisplayName("Deferred messages carry their token twice; the settle mode may have any width (DEFER-3,"
            + " checklist 59)")
    void receivesDeferred() {
        entity.replying(new Reply.Messages(List.of(Views.locked(content()))));
        for (Object mode : List.of(UnsignedInteger.ONE, UnsignedByte.valueOf((byte) 1), 1)) {
            Response response = ask(
                    "receive-by-sequence-number",
                    Map.of("sequence-numbers", new long[] {7}, "receiver-settle-mode", mode));
            assertThat(response.status()).isEqualTo(200);
            Map<?, ?> message = (Map<?, ?>) ((List<?>) response.body().get("messages")).get(0);
            assertThat(message.get("lock-token")).isEqualTo(TOKEN);
            assertThat(Wire.section(((Binary) message.get("message")).asProtonBuffer(), DeliveryAnnotations.class)
                            .getValue())
                    .isEqualTo(Map.of(Symbol.valueOf("x-opt-lock-token"), TOKEN));
        }
        assertThat(entity.commands())
                .hasSize(3)
                .containsOnly(new Command.ReceiveDeferredMessages(
                        SubQueue.MAIN, List.of(7L), ReceiveMode.PEEK_LOCK, null, 256 * 1024));
    }

    @Test
    @DisplayName("Settle mode 0 receives and deletes, without a token (DEFER-3)")
    void receivesDeferredForGood() {
        MessageView gone = new MessageView(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(7)
                        .enqueuedTimeMs(1_000)
                        .deliveryCount(1)
                        .build(),
                MessageState.DEFERRED,
                null,
                0,
                content());
        entity.replying(new Reply.Messages(List.of(gone)));
        Response response = ask(
                "receive-by-sequence-number",
                Map.of("sequence-numbers", new long[] {7}, "receiver-settle-mode", UnsignedInteger.ZERO));
        assertThat(entity.commands())
                .containsExactly(new Command.ReceiveDeferredMessages(
                        SubQueue.MAIN, List.of(7L), ReceiveMode.RECEIVE_AND_DELETE, null, 256 * 1024));
        assertThat((Map<?, ?>) ((List<?>) response.body().get("messages")).get(0))
                .doesNotContainKey(castKey("lock-token"));
    }

    @Test
    @DisplayName("A request without sequence numbers returns no messages (DEFER-4)")
    void receivesNoDeferred() {
        entity.replying(new Reply.Messages(List.of()));
        Response response =
                ask("receive-by-sequence-number", Map.of("sequence-numbers", new long[0], "receiver-settle-mode", 1));
        assertThat(response.status()).isEqualTo(200);
        assertThat((List<?>) response.body().get("messages")).isEmpty();
    }

    @Test
    @DisplayName("A lock token settles in every way (wire 6.7, checklist 60)")
    void updatesDispositions() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("n", 5L);
        properties.put("none", null);
        Map<String, EncodedValue> encoded =
                Map.of("n", new EncodedValue(Wire.encodeValue(5L)), "none", new EncodedValue(Wire.hex("40")));
        settle("completed", Map.of());
        settle("abandoned", Map.of("properties-to-modify", properties));
        settle("defered", Map.of("properties-to-modify", Map.of()));
        settle("suspended", Map.of("deadletter-reason", "r", "deadletter-description", ""));
        settle("released", Map.of());
        settle("unlocked", Map.of());
        List<UUID> tokens = List.of(TOKEN);
        assertThat(entity.commands())
                .containsExactly(
                        new Command.CompleteMessages(tokens),
                        new Command.AbandonMessages(tokens, encoded),
                        new Command.DeferMessages(tokens, Map.of()),
                        new Command.DeadLetterMessages(tokens, "r", null, Map.of()),
                        new Command.ReleaseMessages(tokens),
                        new Command.ReleaseMessages(tokens));
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEmpty();
        });
    }

    @Test
    @DisplayName("Properties to modify must have simple values (MSG-6)")
    void refusesComplexProperties() {
        Response response = ask(
                "update-disposition",
                Map.of(
                        "disposition-status",
                        "abandoned",
                        "lock-tokens",
                        new UUID[] {TOKEN},
                        "properties-to-modify",
                        Map.of("deep", List.of(1))));
        assertRefused(response, ErrorCode.ARGUMENT, "deep");
    }

    @Test
    @DisplayName("A batch delete answers with a count, and with 204 if it deleted nothing (PURGE-1)")
    void deletesInBatches() {
        Map<String, Object> arguments = Map.of("message-count", 10, "enqueued-time-utc", new Date(5_000));
        entity.replying(new Reply.Deleted(3));
        assertThat(ask("batch-delete-messages", arguments).body()).isEqualTo(Map.of("message-count", 3));
        entity.replying(new Reply.Deleted(0));
        Response nothing = ask("batch-delete-messages", arguments);
        assertThat(nothing.status()).isEqualTo(204);
        assertThat(nothing.body()).isEmpty();
        assertThat(entity.commands()).containsOnly(new Command.BatchDeleteMessages(SubQueue.MAIN, 10, 5_000));
    }

    @ParameterizedTest(name = "{0}: {1} is missing")
    @CsvSource({
        "peek-message, from-sequence-number",
        "peek-message, message-count",
        "renew-lock, lock-tokens",
        "schedule-message, messages",
        "cancel-scheduled-message, sequence-numbers",
        "receive-by-sequence-number, sequence-numbers",
        "receive-by-sequence-number, receiver-settle-mode",
        "update-disposition, disposition-status",
        "update-disposition, lock-tokens",
        "batch-delete-messages, message-count",
        "batch-delete-messages, enqueued-time-utc",
        "renew-session-lock, session-id",
    })
    @DisplayName("A missing or invalid argument answers 400 and names the argument (wire 6.1)")
    void namesBadArguments(String operation, String argument) {
        Map<String, Object> arguments = new HashMap<>(Map.of(
                "from-sequence-number",
                1L,
                "message-count",
                1,
                "lock-tokens",
                List.of(TOKEN),
                "messages",
                List.of(Map.of("message", scheduledMessage("a"))),
                "sequence-numbers",
                List.of(1L),
                "receiver-settle-mode",
                1,
                "disposition-status",
                "completed",
                "enqueued-time-utc",
                new Date(1),
                "session-id",
                "s"));
        arguments.remove(argument);
        assertRefused(ask(operation, arguments), ErrorCode.ARGUMENT, "'" + argument + "'");
        arguments.put(argument, 1.5);
        assertRefused(ask(operation, arguments), ErrorCode.ARGUMENT, "'" + argument + "'");
    }

    @Test
    @DisplayName("Numbers outside their range answer argument-out-of-range (wire 6.1)")
    void refusesNumbersOutOfRange() {
        assertRefused(
                ask("peek-message", Map.of("from-sequence-number", 1L, "message-count", 0)),
                ErrorCode.OUT_OF_RANGE,
                "message-count");
        assertRefused(
                ask(
                        "receive-by-sequence-number",
                        Map.of("sequence-numbers", new long[4_097], "receiver-settle-mode", 1)),
                ErrorCode.OUT_OF_RANGE,
                "Expected at most 4096 numbers in argument 'sequence-numbers', but got 4097.");
        assertRefused(
                ask("receive-by-sequence-number", Map.of("sequence-numbers", List.of(1L), "receiver-settle-mode", 2)),
                ErrorCode.OUT_OF_RANGE,
                "receiver-settle-mode");
        assertRefused(
                ask("cancel-scheduled-message", Map.of("sequence-numbers", List.of(UnsignedLong.MAX_VALUE))),
                ErrorCode.OUT_OF_RANGE,
                "sequence-numbers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"renew-session-lock", "get-session-state", "set-session-state", "get-message-sessions"})
    @DisplayName("A queue without sessions refuses session operations (wire 6.8)")
    void refusesSessions(String operation) {
        assertRefused(ask(operation, Map.of("session-id", "s")), ErrorCode.INVALID_OPERATION, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"add-rule", "remove-rule", "enumerate-rules"})
    @DisplayName("A queue has no rules (wire 6.9)")
    void refusesRules(String operation) {
        assertRefused(ask(operation, Map.of()), ErrorCode.INVALID_OPERATION, "subscription");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "renew-lock",
                "receive-by-sequence-number",
                "update-disposition",
                "batch-delete-messages",
                "renew-session-lock",
                "get-message-sessions",
                "enumerate-rules"
            })
    @DisplayName("A topic refuses receiving and settling, and has no rules (RECV-11, DLQ-1)")
    void refusesReceivingFromTopics(String operation) {
        entity.describedAs(TopicDescription.named("news").build());
        assertRefused(ask(operation, Map.of()), ErrorCode.INVALID_OPERATION, "'news' is a topic");
    }

    @Test
    @DisplayName(
            "The transfer dead-letter queue of a topic acts like any other (DLQ-5, DLQ-33, LOCK-5, LOCK-11, DEFER-2)")
    void managesTransferDeadLettersOfTopics() {
        path = "news/$Transfer/$DeadLetterQueue/$management";
        entity.describedAs(TopicDescription.named("news").build());
        entity.replying(new Reply.LocksRenewed(new long[] {1}));
        ask("renew-lock", Map.of("lock-tokens", new UUID[] {TOKEN}));
        entity.replying(Reply.Done.INSTANCE);
        settle("completed", Map.of());
        entity.replying(new Reply.Messages(List.of()));
        ask("receive-by-sequence-number", Map.of("sequence-numbers", new long[] {7}, "receiver-settle-mode", 1));
        entity.replying(new Reply.Deleted(0));
        ask("batch-delete-messages", Map.of("message-count", 5, "enqueued-time-utc", new Date(9)));
        assertThat(responses).extracting(Response::status).containsExactly(200, 200, 200, 204);
        assertThat(entity.commands())
                .extracting(Command::kind)
                .containsExactly(
                        CommandKind.RENEW_LOCKS,
                        CommandKind.COMPLETE_MESSAGES,
                        CommandKind.RECEIVE_DEFERRED_MESSAGES,
                        CommandKind.BATCH_DELETE_MESSAGES);
        assertThat(entity.commands().stream()
                        .filter(Command.NamesSubQueue.class::isInstance)
                        .map(command -> ((Command.NamesSubQueue) command).subQueue()))
                .hasSize(2)
                .containsOnly(SubQueue.TRANSFER_DEAD_LETTER);
    }

    @Test
    @DisplayName("A topic accepts, shows and cancels scheduled messages (SCHED-7, SCHED-8)")
    void schedulesInTopics() {
        entity.describedAs(TopicDescription.named("news").build()).replying(new Reply.Sent(new long[] {7}));
        Response response =
                ask("schedule-message", Map.of("messages", List.of(Map.of("message", scheduledMessage("a")))));
        assertThat(response.status()).isEqualTo(200);
        entity.replying(Reply.Done.INSTANCE);
        assertThat(ask("cancel-scheduled-message", Map.of("sequence-numbers", new long[] {7}))
                        .status())
                .isEqualTo(200);
        entity.replying(new Reply.Messages(List.of()));
        assertThat(ask("peek-message", Map.of("from-sequence-number", 0L, "message-count", 1))
                        .status())
                .isEqualTo(204);
        assertThat(entity.commands()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"schedule-message", "cancel-scheduled-message"})
    @DisplayName("A subscription refuses scheduled messages, because clients cannot send to it (wire 3.1)")
    void schedulesNothingInSubscriptions(String operation) {
        entity.describedAs(SubscriptionDescription.of("news", "all").build());
        assertRefused(
                ask(operation, Map.of()),
                ErrorCode.INVALID_OPERATION,
                "queue or topic for the operation 'com.microsoft:" + operation + "'");
    }

    @Test
    @DisplayName("An unknown operation answers 501 not-implemented, a missing one an argument error (wire 6.11)")
    void refusesUnknownOperations() {
        assertRefused(ask("make-coffee", Map.of()), ErrorCode.NOT_IMPLEMENTED, "make-coffee");
        handle(Wire.encode(new Properties(), new AmqpValue<>(Map.of())));
        assertRefused(last(), ErrorCode.ARGUMENT, "operation");
    }

    @Test
    @DisplayName("Without the right, no command reaches the entity (ENT-4)")
    void checksRights() {
        denial = new Rejection(ErrorCode.UNAUTHORIZED, "Expected the right to listen.");
        Response response = ask("renew-lock", Map.of("lock-tokens", List.of(TOKEN)));
        assertRefused(response, ErrorCode.UNAUTHORIZED, "listen");
        assertThat(response.status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({
        "peek-message, LISTEN",
        "renew-lock, LISTEN",
        "schedule-message, SEND",
        "cancel-scheduled-message, SEND",
        "receive-by-sequence-number, LISTEN",
        "update-disposition, LISTEN",
        "batch-delete-messages, LISTEN",
        "get-session-state, LISTEN",
    })
    @DisplayName("Receiving requires Listen and sending requires Send, before any argument is read (ENT-4)")
    void asksForTheRight(String operation, AccessRight right) {
        ask(operation, Map.of());
        assertThat(asked).containsExactly(right);
    }

    @Test
    @DisplayName("A dead-letter queue refuses scheduled messages (wire 6.4)")
    void schedulesOnlyInTheQueueItself() {
        path = "orders/$DeadLetterQueue/$management";
        assertRefused(
                ask("schedule-message", Map.of("messages", List.of(Map.of("message", scheduledMessage("a"))))),
                ErrorCode.INVALID_OPERATION,
                "dead-letter");
    }

    @Test
    @DisplayName("The message id returns as the correlation id in its type, with the client's tracking id (wire 6.1)")
    void echoesIds() {
        entity.replying(new Reply.LocksRenewed(new long[1]));
        for (Object id : List.of("text", UnsignedLong.valueOf(7L), TOKEN, new Binary(new byte[] {1, 2}))) {
            Properties properties = new Properties();
            properties.setMessageId(id);
            properties.setReplyTo("client");
            handle(Wire.encode(
                    properties,
                    new ApplicationProperties(
                            Map.of("operation", "com.microsoft:renew-lock", "com.microsoft:tracking-id", "track")),
                    new AmqpValue<>(Map.of("lock-tokens", List.of(TOKEN)))));
            Properties response = Wire.section(last().encoded(), Properties.class);
            assertThat(response.getCorrelationId()).isEqualTo(id);
            assertThat(response.getTo()).isEqualTo("client");
            assertThat(last().replyTo()).isEqualTo("client");
            assertThat(last().properties()).containsEntry("com.microsoft:tracking-id", "track");
        }
    }

    @Test
    @DisplayName("Bytes that are no request are answered with decode-error, with the id if it could be read (wire 6.1)")
    void answersDamagedRequests() {
        handle(Wire.buffer(new byte[] {0x12}));
        assertRefused(last(), ErrorCode.DECODE_ERROR, "");
        Properties properties = new Properties();
        properties.setMessageId("id");
        handle(Wire.buffer(Wire.concat(Wire.bytes(Wire.encode(properties)), Wire.hex("00 53 77 d1 7fffffff"))));
        assertRefused(last(), ErrorCode.DECODE_ERROR, "");
        assertThat(last().correlationId()).isEqualTo("id");
    }

    @Test
    @DisplayName("A request is answered once, whatever fails inside (wire 6.1)")
    void answersOnce() {
        entity.failing(new IllegalStateException("broken on purpose"));
        assertRefused(ask("renew-lock", Map.of("lock-tokens", List.of(TOKEN))), ErrorCode.INTERNAL, "");
        entity.failing(null).replying(new Reply.Deleted(1));
        assertRefused(ask("renew-lock", Map.of("lock-tokens", List.of(TOKEN))), ErrorCode.INTERNAL, "");
        entity.replying(new Reply.LocksRenewed(new long[1])).answeringTimes(2);
        responses.clear();
        ask("renew-lock", Map.of("lock-tokens", List.of(TOKEN)));
        assertThat(responses).hasSize(1);
    }

    @Test
    @DisplayName("Mutated requests are each answered once (wire 6.1)")
    void survivesMutatedRequests() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] valid = Wire.bytes(Wire.encode(
                new Properties(),
                new ApplicationProperties(Map.of("operation", "com.microsoft:update-disposition")),
                new AmqpValue<>(Map.of(
                        "disposition-status",
                        "abandoned",
                        "lock-tokens",
                        new UUID[] {TOKEN},
                        "properties-to-modify",
                        Map.of("a", 1)))));
        for (int i = 0; i < 20_000; i++) {
            byte[] mutated = valid.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
            }
            responses.clear();
            handle(Wire.buffer(mutated));
            assertThat(responses).as("seed %d, round %d", seed, i).hasSize(1);
            assertThat(responses.get(0).status())
                    .as("seed %d, round %d", seed, i)
                    .isIn(200, 400, 501);
        }
    }

    private void settle(String status, Map<String, Object> more) {
        Map<String, Object> arguments = new HashMap<>(more);
        arguments.put("disposition-status", status);
        arguments.put("lock-tokens", new UUID[] {TOKEN});
        ask("update-disposition", arguments);
    }

    private Response ask(String operation, Map<String, Object> arguments) {
        Properties properties = new Properties();
        properties.setMessageId("1");
        properties.setReplyTo("reply");
        handle(Wire.encode(
                properties,
                new ApplicationProperties(
                        linkName == null
                                ? Map.of("operation", "com.microsoft:" + operation)
                                : Map.of("operation", "com.microsoft:" + operation, "associated-link-name", linkName)),
                new AmqpValue<>(arguments)));
        return last();
    }

    private void handle(ProtonBuffer request) {
        ManagementNode node = new ManagementNode(
                new InMemoryBroker().first,
                entity,
                EntityAddress.parse(path),
                rights -> {
                    asked.addAll(rights);
                    return denial;
                },
                HeldSessions.NONE,
                linkName -> transfers.get(linkName),
                Runnable::run,
                new ErrorText("ns", () -> 100_000),
                16L << 20);
        node.handle(request, (id, replyTo, encoded) -> responses.add(new Response(id, replyTo, encoded)));
    }

    private Response last() {
        return responses.get(responses.size() - 1);
    }

    private void assertRefused(Response response, ErrorCode code, String words) {
        assertThat(response.condition()).isEqualTo(Symbol.valueOf(code.amqpCondition()));
        assertThat(response.status()).isEqualTo(code.httpStatus());
        assertThat(response.description()).contains(words).contains("TrackingId:");
        assertThat(response.body()).isEmpty();
        if (code != ErrorCode.INTERNAL) {
            assertThat(entity.commands()).isEmpty();
        }
    }

    /** Returns the raw bytes of a response from the value of one body entry on. */
    private static byte[] entry(Response response, String name) {
        byte[] bytes = Wire.bytes(response.encoded());
        byte[] key = Wire.encodeValue(name);
        for (int at = 0; at + key.length < bytes.length; at++) {
            if (java.util.Arrays.equals(bytes, at, at + key.length, key, 0, key.length)) {
                return java.util.Arrays.copyOfRange(bytes, at + key.length, bytes.length);
            }
        }
        throw new AssertionError("no entry " + name);
    }

    @SuppressWarnings("unchecked")
    private static <K> K castKey(String key) {
        return (K) key;
    }

    private static Binary scheduledMessage(String id) {
        Properties properties = new Properties();
        properties.setMessageId(id);
        return new Binary(Wire.bytes(Wire.encode(
                new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-scheduled-enqueue-time"), new Date(99_000))),
                properties,
                new Data(new byte[] {1}))));
    }

    private static MessageContent content() {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        return MessageContent.of(true, 4, false, nothing, nothing, nothing, nothing);
    }
}
