package dev.jitney.core.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("PART-24 to PART-37: keys and their fragments")
class KeysTest {
    private static final KeyRules PLAIN = new KeyRules(16, false, false, 128);
    private static final KeyRules DETECTING = new KeyRules(16, false, true, 128);

    private static String key(KeyRules rules, IncomingMessage... messages) {
        KeyRules.Key key = rules.keyOf(List.of(messages));
        assertThat(key.refusal()).isNull();
        return String.valueOf(key.key());
    }

    private static void assertRefused(ErrorCode code, KeyRules rules, IncomingMessage... messages) {
        KeyRules.Key key = rules.keyOf(List.of(messages));
        assertThat(Objects.requireNonNull(key.refusal()).code()).isEqualTo(code);
        assertThat(key.key()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "myPartitionKey, 14, 0",
        "mySession, 4, 0",
        "a, 2, 0",
        "b, 6, 0",
        "é, 14, 0",
        "order-0001, 3, 1",
        "order-0002, 13, 1",
    })
    @DisplayName("PART-25: the golden vectors")
    void goldenVectors(String key, int of16, int of2) {
        assertThat(KeyHash.fragment(key, 16)).isEqualTo(of16);
        assertThat(KeyHash.fragment(key, 2)).isEqualTo(of2);
    }

    @Test
    @DisplayName("PART-25: case matters, and the four bytes are unsigned")
    void caseMattersAndBytesAreUnsigned() {
        assertThat(KeyHash.fragment("A", 16)).isNotEqualTo(KeyHash.fragment("a", 16));
        // The SHA-256 of myPartitionKey starts with eb00c15e, which is negative as an int.
        assertThat(KeyHash.fragment("myPartitionKey", 1_000)).isEqualTo((int) (0xeb00c15eL % 1_000));
    }

    @Test
    @DisplayName("PART-25: many keys use all fragments about equally")
    void spreadsKeys() {
        int[] counts = new int[16];
        IntStream.range(0, 16_000).forEach(i -> counts[KeyHash.fragment("order-" + i, 16)]++);
        assertThat(IntStream.of(counts)).allMatch(count -> count > 850 && count < 1_150);
    }

    @Test
    @DisplayName("PART-29, PART-31: the SessionId is the key, else the PartitionKey")
    void sessionThenPartitionKey() {
        assertThat(key(PLAIN, Sent.session("s"))).isEqualTo("s");
        assertThat(key(PLAIN, Sent.key("k"))).isEqualTo("k");
        assertThat(key(PLAIN, Sent.both("s", "s"))).isEqualTo("s");
        assertThat(key(DETECTING, Sent.session("s"))).isEqualTo("s");
        assertThat(key(DETECTING, Sent.key("k"))).isEqualTo("k");
    }

    @Test
    @DisplayName("SESS-3, SESS-22: an empty SessionId is a key, and is not compared with the PartitionKey")
    void emptySession() {
        assertThat(key(PLAIN, Sent.session(""))).isEmpty();
        assertThat(key(PLAIN, Sent.both("", "k"))).isEmpty();
    }

    @Test
    @DisplayName("PART-32, PART-50: a PartitionKey other than the SessionId is refused, compared by case")
    void differentKeysOfOneMessage() {
        assertRefused(ErrorCode.INVALID_OPERATION, PLAIN, Sent.both("s", "k"));
        assertRefused(ErrorCode.INVALID_OPERATION, PLAIN, Sent.both("s", "S"));
    }

    @Test
    @DisplayName("PART-35, PART-36, PART-37: the MessageId is a key only with duplicate detection")
    void messageId() {
        assertThat(key(DETECTING, Sent.id("m1"))).isEqualTo("m1");
        assertThat(PLAIN.keyOf(List.of(Sent.id("m1"))).key()).isNull();
    }

    @Test
    @DisplayName("DUP-7: a partitioned entity with duplicate detection refuses messages without a key; empty ids are"
            + " not keys")
    void nothingToDetectBy() {
        assertRefused(ErrorCode.INVALID_OPERATION, DETECTING, Sent.plain());
        assertRefused(ErrorCode.INVALID_OPERATION, DETECTING, Sent.id(""));
    }

    @Test
    @DisplayName("PART-25, QUOTA-6: a key has at most 128 characters")
    void longKeys() {
        assertThat(key(PLAIN, Sent.key("k".repeat(128)))).hasSize(128);
        assertRefused(ErrorCode.ARGUMENT, PLAIN, Sent.key("k".repeat(129)));
        assertRefused(ErrorCode.ARGUMENT, PLAIN, Sent.session("k".repeat(129)));
        assertRefused(ErrorCode.ARGUMENT, DETECTING, Sent.id("k".repeat(129)));
    }

    @Test
    @DisplayName("MSG-8: the messages of a batch have the same key, or none has a key")
    void batches() {
        assertThat(key(PLAIN, Sent.key("k"), Sent.key("k"), Sent.session("k"))).isEqualTo("k");
        assertThat(PLAIN.keyOf(List.of(Sent.plain(), Sent.id("1"), Sent.id("2"))))
                .isEqualTo(KeyRules.Key.NONE);
        assertRefused(ErrorCode.INVALID_OPERATION, PLAIN, Sent.key("a"), Sent.key("b"));
        assertRefused(ErrorCode.INVALID_OPERATION, PLAIN, Sent.key("a"), Sent.plain());
        assertRefused(ErrorCode.INVALID_OPERATION, PLAIN, Sent.plain(), Sent.key("a"));
        assertRefused(ErrorCode.INVALID_OPERATION, DETECTING, Sent.id("1"), Sent.id("2"));
    }

    @Test
    @DisplayName("PAIR-32: pings have no key, even with a SessionId")
    void pings() {
        assertThat(PLAIN.keyOf(List.of(Sent.ping()))).isEqualTo(KeyRules.Key.NONE);
        assertThat(key(PLAIN, Sent.ping(), Sent.key("k"), Sent.ping())).isEqualTo("k");
    }

    @Test
    @DisplayName("an entity that is not partitioned does not check keys")
    void onlyForPartitionedEntities() {
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyRules(1, false, false, 128));
    }
}
