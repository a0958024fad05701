package dev.jitney.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.partition.TransactionScope.Judgement;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PART-43 to PART-51, TX-7, TX-19, SCN-10: transactions on partitioned entities")
class TransactionScopeTest {
    private static final KeyRules PLAIN = new KeyRules(16, false, false, 128);
    private static final KeyRules DETECTING = new KeyRules(16, false, true, 128);
    private static final KeyRules SESSIONS = new KeyRules(16, true, false, 128);

    private static TransactionScope sent(TransactionScope scope, KeyRules rules, IncomingMessage... messages) {
        Judgement judgement = scope.send(List.of(messages), rules);
        assertThat(judgement.refusal()).isNull();
        return judgement.scope();
    }

    private static void assertRefused(Judgement judgement, TransactionScope before, ErrorCode code) {
        assertThat(Objects.requireNonNull(judgement.refusal()).code()).isEqualTo(code);
        assertThat(judgement.scope()).isEqualTo(before);
    }

    private static void assertRefused(TransactionScope scope, KeyRules rules, IncomingMessage... messages) {
        assertRefused(scope.send(List.of(messages), rules), scope, ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("PART-47, PART-43, PART-34: a keyed message binds the transaction to its fragment")
    void workedExample() {
        TransactionScope scope = sent(TransactionScope.OPEN, PLAIN, Sent.key("myPartitionKey"));
        assertThat(scope).isEqualTo(new TransactionScope(14, "myPartitionKey"));
    }

    @Test
    @DisplayName("SCN-10, PART-45: keys a, a are accepted; a, b are refused")
    void sameKey() {
        TransactionScope scope = sent(TransactionScope.OPEN, PLAIN, Sent.key("a"));
        assertThat(sent(scope, PLAIN, Sent.key("a"))).isEqualTo(scope);
        assertRefused(scope, PLAIN, Sent.key("b"));
        assertRefused(TransactionScope.OPEN, PLAIN, Sent.key("a"), Sent.key("b"));
    }

    @Test
    @DisplayName("PART-45: different keys of one fragment are also refused")
    void differentKeysOfOneFragment() {
        assertThat(KeyHash.fragment("é", 16)).isEqualTo(KeyHash.fragment("myPartitionKey", 16));
        TransactionScope scope = sent(TransactionScope.OPEN, PLAIN, Sent.key("myPartitionKey"));
        assertRefused(scope, PLAIN, Sent.key("é"));
    }

    @Test
    @DisplayName("PART-46, SCN-10: a message without a key is refused")
    void keyless() {
        assertRefused(TransactionScope.OPEN, PLAIN, Sent.plain());
    }

    @Test
    @DisplayName("PART-44, C-25: the MessageId alone is a key only with duplicate detection")
    void messageIdOnly() {
        assertRefused(TransactionScope.OPEN, PLAIN, Sent.id("m1"));
        TransactionScope scope = sent(TransactionScope.OPEN, DETECTING, Sent.id("m1"));
        assertThat(scope.key()).isEqualTo("m1");
        assertRefused(scope, DETECTING, Sent.id("m2"));
    }

    @Test
    @DisplayName("PART-49: on a session-aware entity the SessionId is required, and a PartitionKey is not enough")
    void sessionNeeded() {
        assertRefused(TransactionScope.OPEN, SESSIONS, Sent.key("k"));
        assertThat(sent(TransactionScope.OPEN, SESSIONS, Sent.session("mySession")))
                .isEqualTo(new TransactionScope(4, "mySession"));
    }

    @Test
    @DisplayName("PART-50: an additional PartitionKey must equal the SessionId")
    void partitionKeyOfASession() {
        assertRefused(TransactionScope.OPEN, SESSIONS, Sent.both("s", "k"));
        assertThat(sent(TransactionScope.OPEN, SESSIONS, Sent.both("s", "s")).key())
                .isEqualTo("s");
    }

    @Test
    @DisplayName("PART-51: one transaction cannot send to a second session")
    void secondSession() {
        TransactionScope scope = sent(TransactionScope.OPEN, SESSIONS, Sent.session("mySession"));
        assertThat(sent(scope, SESSIONS, Sent.session("mySession"))).isEqualTo(scope);
        assertRefused(scope, SESSIONS, Sent.session("other"));
    }

    @Test
    @DisplayName("PAIR-32: a ping does not bind the transaction and needs no key")
    void pings() {
        assertThat(sent(TransactionScope.OPEN, SESSIONS, Sent.ping())).isEqualTo(TransactionScope.OPEN);
    }

    @Test
    @DisplayName("TX-19: a settlement binds the transaction to its fragment; a settlement in another fragment is"
            + " refused")
    void settlements() {
        Judgement first = TransactionScope.OPEN.use(4);
        assertThat(first.refusal()).isNull();
        assertThat(first.scope().use(4).refusal()).isNull();
        assertRefused(first.scope().use(5), first.scope(), ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("TX-19, PART-45: after a settlement the key of a message must belong to the same fragment")
    void settlementThenSend() {
        TransactionScope scope = TransactionScope.OPEN.use(4).scope();
        assertThat(sent(scope, PLAIN, Sent.key("mySession"))).isEqualTo(new TransactionScope(4, "mySession"));
        assertRefused(scope, PLAIN, Sent.key("a"));
        TransactionScope sending = sent(TransactionScope.OPEN, PLAIN, Sent.key("a"));
        assertThat(sending.use(2).scope()).isEqualTo(sending);
        assertRefused(sending.use(3), sending, ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("TX-7: a ViaPartitionKey is required and must belong to the transaction's fragment")
    void sendVia() {
        TransactionScope scope = TransactionScope.OPEN.use(4).scope();
        assertThat(scope.sendVia("mySession", PLAIN).refusal()).isNull();
        assertRefused(scope.sendVia("a", PLAIN), scope, ErrorCode.INVALID_OPERATION);
        assertRefused(scope.sendVia(null, PLAIN), scope, ErrorCode.INVALID_OPERATION);
        assertRefused(scope.sendVia("k".repeat(129), PLAIN), scope, ErrorCode.ARGUMENT);
        assertThat(TransactionScope.OPEN.sendVia("a", PLAIN).scope().fragment()).isEqualTo(2);
    }
}
