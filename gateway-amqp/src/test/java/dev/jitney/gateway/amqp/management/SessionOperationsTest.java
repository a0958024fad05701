package dev.jitney.gateway.amqp.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.Wire;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.gateway.amqp.message.ErrorText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.RecordingEntity;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests about sessions (wire reference 6.8, 7.7). */
class SessionOperationsTest {
    private static final SessionHold HOLD = new SessionHold(42, "mine");
    private static final Date END_OF_TIME = new Date(253_402_300_799_999L);

    private final RecordingEntity entity = new RecordingEntity()
            .describedAs(QueueDescription.named("orders").requiresSession(true).build());
    private String path = "orders/$management";
    private @Nullable String linkName;
    private byte[] encoded = {};

    /** The sessions of a connection that holds one session, through a link of that name. */
    private static final HeldSessions HELD = new HeldSessions() {
        @Override
        public @Nullable SessionHold bySessionId(String sessionId) {
            return sessionId.equals("mine") ? HOLD : null;
        }

        @Override
        public @Nullable SessionHold byLinkName(String linkName) {
            return linkName.equals("link") ? HOLD : null;
        }
    };

    private Map<String, Object> ask(String operation, Map<String, Object> arguments) {
        Map<String, Object> application = new HashMap<>(Map.of("operation", "com.microsoft:" + operation));
        if (linkName != null) {
            application.put("associated-link-name", linkName);
        }
        Properties properties = new Properties();
        properties.setMessageId("1");
        ManagementNode node = new ManagementNode(
                new InMemoryBroker().first,
                entity,
                EntityAddress.parse(path),
                rights -> null,
                HELD,
                NamedLinks.NONE,
                Runnable::run,
                new ErrorText("ns", () -> 100_000),
                16L << 20);
        Map<String, Object> answer = new HashMap<>();
        node.handle(
                Wire.encode(properties, new ApplicationProperties(application), new AmqpValue<>(arguments)),
                (id, replyTo, response) -> {
                    encoded = Wire.bytes(response);
                    answer.putAll(
                            Wire.section(response, ApplicationProperties.class).getValue());
                    answer.put("body", Wire.section(response, AmqpValue.class).getValue());
                });
        return answer;
    }

    private static Map<?, ?> body(Map<String, Object> answer) {
        return (Map<?, ?>) answer.get("body");
    }

    private void assertRefused(Map<String, Object> answer, ErrorCode code) {
        assertThat(answer.get("statusCode")).isEqualTo(code.httpStatus());
        assertThat(answer.get("errorCondition")).isEqualTo(Symbol.valueOf(code.amqpCondition()));
        assertThat(entity.commands()).isEmpty();
    }

    @Test
    @DisplayName("A renewal answers with a timestamp (SESS-9)")
    void renews() {
        entity.replying(new Reply.LocksRenewed(new long[] {77_000}));
        Map<String, Object> answer = ask("renew-session-lock", Map.of("session-id", "mine"));
        assertThat(entity.commands()).containsExactly(new Command.RenewSessionLock(HOLD));
        assertThat(answer).containsEntry("statusCode", 200);
        assertThat(body(answer).get("expiration")).isEqualTo(77_000L);
        assertThat(contains(Wire.hex("83 0000000000012cc8"))).as("a timestamp").isTrue();
    }

    @Test
    @DisplayName("The state is a binary, or a null entry (checklist 64)")
    void readsTheState() {
        entity.replying(new Reply.SessionState(null));
        Map<String, Object> none = ask("get-session-state", Map.of("session-id", "mine"));
        assertThat(none).containsEntry("statusCode", 200);
        assertThat(body(none).containsKey("session-state")).isTrue();
        assertThat(body(none).get("session-state")).isNull();
        entity.replying(new Reply.SessionState(new byte[0]));
        assertThat(body(ask("get-session-state", Map.of("session-id", "mine"))).get("session-state"))
                .isEqualTo(new Binary(new byte[0]));
        entity.replying(new Reply.SessionState(new byte[] {1, 2}));
        linkName = "link";
        assertThat(body(ask("get-session-state", Map.of())).get("session-state"))
                .isEqualTo(new Binary(new byte[] {1, 2}));
        assertThat(entity.commands()).hasSize(3).containsOnly(new Command.GetSessionState(HOLD.sessionId(), HOLD));
    }

    @Test
    @DisplayName("A state, an empty state and a null state can be set (checklist 64, SESS-15)")
    void setsTheState() {
        for (byte[] state : new byte[][] {{1, 2}, {}, null}) {
            Map<String, Object> arguments = new HashMap<>(Map.of("session-id", "mine"));
            arguments.put("session-state", state == null ? null : new Binary(state));
            Map<String, Object> answer = ask("set-session-state", arguments);
            assertThat(answer).containsEntry("statusCode", 200);
            assertThat(body(answer)).isEmpty();
        }
        assertThat(entity.commands())
                .extracting(command -> ((Command.SetSessionState) command).state())
                .containsExactly(new byte[] {1, 2}, new byte[0], null);
        assertThat(ask("set-session-state", Map.of("session-id", "mine", "session-state", "text")))
                .containsEntry("statusCode", 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"renew-session-lock", "set-session-state"})
    @DisplayName("A client that does not hold the session receives session-lock-lost (SESS-10, wire 6.8)")
    void refusesOthers(String operation) {
        assertRefused(ask(operation, Map.of("session-id", "other")), ErrorCode.SESSION_LOCK_LOST);
        linkName = "gone";
        assertRefused(ask(operation, Map.of()), ErrorCode.SESSION_LOCK_LOST);
        linkName = null;
        assertRefused(ask(operation, Map.of()), ErrorCode.ARGUMENT);
        path = "orders/$DeadLetterQueue/$management";
        assertRefused(ask(operation, Map.of("session-id", "mine")), ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("The state of a session can be read whether or not another client holds the session (SESS-15)")
    void readsTheStateOfOtherSessions() {
        linkName = "gone";
        assertRefused(ask("get-session-state", Map.of()), ErrorCode.SESSION_LOCK_LOST);
        linkName = null;
        assertRefused(ask("get-session-state", Map.of()), ErrorCode.ARGUMENT);
        entity.replying(new Reply.SessionState(new byte[] {3}));
        assertThat(body(ask("get-session-state", Map.of("session-id", "other"))).get("session-state"))
                .isEqualTo(new Binary(new byte[] {3}));
        assertThat(entity.commands()).containsExactly(new Command.GetSessionState("other"));
        path = "orders/$DeadLetterQueue/$management";
        assertThat(ask("get-session-state", Map.of("session-id", "mine"))).containsEntry("statusCode", 400);
    }

    @Test
    @DisplayName("Sessions are listed as an array of strings, with the next skip as an int (checklist 63)")
    void lists() {
        entity.replying(new Reply.Sessions(List.of("a", ""), 12));
        Map<String, Object> answer =
                ask("get-message-sessions", Map.of("last-updated-time", END_OF_TIME, "skip", 10, "top", 100));
        assertThat(entity.commands()).containsExactly(new Command.ListSessions(MessageView.NEVER, null, 10, 100));
        assertThat(answer).containsEntry("statusCode", 200);
        assertThat(body(answer).get("skip")).isEqualTo(12);
        assertThat((String[]) body(answer).get("sessions-ids")).containsExactly("a", "");
        assertThat(contains(Wire.hex("f0 0000000e 00000002 b1 00000001 61 00000000")))
                .isTrue();
    }

    private boolean contains(byte[] part) {
        for (int at = 0; at + part.length <= encoded.length; at++) {
            if (Arrays.equals(encoded, at, at + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    @Test
    @DisplayName("The last session of a page takes precedence over skip, and skip continues (checklist 63)")
    void listsAfterASession() {
        entity.replying(new Reply.Sessions(List.of("c", "d"), 2));
        Map<String, Object> answer = ask(
                "get-message-sessions",
                Map.of("last-updated-time", new Date(5), "skip", 100, "top", 5_000_000_000L, "last-session-id", "b"));
        assertThat(entity.commands()).containsExactly(new Command.ListSessions(5, "b", 0, 1_000));
        assertThat(body(answer).get("skip")).isEqualTo(102);
    }

    @Test
    @DisplayName("An empty page answers 204, and a negative skip is out of range (checklist 63)")
    void listsNothing() {
        entity.replying(new Reply.Sessions(List.of(), 0));
        Map<String, Object> end = Map.of("last-updated-time", END_OF_TIME, "skip", 0, "top", 1);
        assertThat(ask("get-message-sessions", end)).containsEntry("statusCode", 204);
        assertThat(ask("get-message-sessions", Map.of("last-updated-time", END_OF_TIME, "skip", -1, "top", 1)))
                .containsEntry("errorCondition", Symbol.valueOf("com.microsoft:argument-out-of-range"));
        path = "orders/$DeadLetterQueue/$management";
        assertThat(ask("get-message-sessions", end))
                .containsEntry("errorCondition", Symbol.valueOf("amqp:not-allowed"));
    }

    @Test
    @DisplayName("Deferred messages are received within the held session, by its id or its link (SESS-14,"
            + " checklist 77)")
    void receivesDeferred() {
        entity.replying(new Reply.Messages(List.of()));
        Map<String, Object> arguments =
                new HashMap<>(Map.of("sequence-numbers", new long[] {5}, "receiver-settle-mode", 1));
        assertRefused(ask("receive-by-sequence-number", arguments), ErrorCode.SESSION_LOCK_LOST);
        arguments.put("session-id", "other");
        assertRefused(ask("receive-by-sequence-number", arguments), ErrorCode.SESSION_LOCK_LOST);
        arguments.put("session-id", "mine");
        ask("receive-by-sequence-number", arguments);
        arguments.remove("session-id");
        linkName = "link";
        ask("receive-by-sequence-number", arguments);
        assertThat(entity.commands())
                .hasSize(2)
                .containsOnly(new Command.ReceiveDeferredMessages(
                        SubQueue.MAIN, List.of(5L), ReceiveMode.PEEK_LOCK, HOLD, 256 * 1024));
    }

    @Test
    @DisplayName("In the dead-letter queue of an entity with sessions, sessions have no effect (DLQ-28)")
    void deadLetterQueueHasNoSessions() {
        path = "orders/$DeadLetterQueue/$management";
        entity.replying(new Reply.Messages(List.of()));
        ask("receive-by-sequence-number", Map.of("sequence-numbers", new long[] {5}, "receiver-settle-mode", 1));
        entity.replying(new Reply.LocksRenewed(new long[] {1}));
        ask("renew-lock", Map.of("lock-tokens", new UUID[] {new UUID(1, 2)}));
        assertThat(entity.commands()).hasSize(2);
    }

    @Test
    @DisplayName("Peek finds the session of the link; without a link it reads all sessions (checklist 77, PEEK-5)")
    void peeks() {
        entity.replying(new Reply.Messages(List.of()));
        Map<String, Object> arguments = Map.of("from-sequence-number", 1L, "message-count", 1);
        ask("peek-message", arguments);
        linkName = "link";
        ask("peek-message", arguments);
        assertThat(entity.commands())
                .containsExactly(
                        new Command.PeekMessages(SubQueue.MAIN, 1, 1, null),
                        new Command.PeekMessages(SubQueue.MAIN, 1, 1, "mine"));
    }

    @Test
    @DisplayName("The lock of one message of a session cannot be renewed (SESS-8)")
    void refusesMessageRenewal() {
        assertRefused(
                ask("renew-lock", Map.of("lock-tokens", new UUID[] {new UUID(1, 2)})), ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("A lost message lock is reported as a lost session lock when the session is not held (STATE-8)")
    void tellsOfTheLostSession() {
        entity.rejecting(Rejection.of(ErrorCode.MESSAGE_LOCK_LOST));
        Map<String, Object> arguments =
                new HashMap<>(Map.of("disposition-status", "completed", "lock-tokens", new UUID[] {new UUID(1, 2)}));
        Symbol messageLost = Symbol.valueOf("com.microsoft:message-lock-lost");
        Symbol sessionLost = Symbol.valueOf("com.microsoft:session-lock-lost");
        assertThat(ask("update-disposition", arguments)).containsEntry("errorCondition", messageLost);
        arguments.put("session-id", "mine");
        assertThat(ask("update-disposition", arguments)).containsEntry("errorCondition", messageLost);
        arguments.put("session-id", "other");
        assertThat(ask("update-disposition", arguments)).containsEntry("errorCondition", sessionLost);
        arguments.remove("session-id");
        linkName = "gone";
        assertThat(ask("update-disposition", arguments)).containsEntry("errorCondition", sessionLost);
    }

    @Test
    @DisplayName("A batch delete of one session names that session (wire 6.10)")
    void batchDeletesOfASession() {
        entity.replying(new Reply.Deleted(1));
        Map<String, Object> answer = ask(
                "batch-delete-messages",
                Map.of("message-count", 1, "enqueued-time-utc", new Date(1), "session-id", "mine"));
        assertThat(answer).containsEntry("statusCode", 200);
        assertThat(entity.commands()).containsExactly(new Command.BatchDeleteMessages(SubQueue.MAIN, 1, 1, "mine"));
    }
}
