package dev.jitney.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PART-10, PART-24, PART-28, PART-38, PART-39, PART-42: the fragment for messages")
class SendRouteTest {
    private static final IntPredicate ALL_UP = fragment -> true;
    private static final IntPredicate STORE_OF_3_DOWN = fragment -> fragment != 3;
    private final KeyRules rules = new KeyRules(16, false, false, 128);
    private final RoundRobin turn = new RoundRobin(16, 0);

    private SendRoute send(IntPredicate available, IncomingMessage... messages) {
        return SendRoute.of(List.of(messages), rules, turn, available, fragment -> true);
    }

    private int[] sendKeyless(int count, IntPredicate available) {
        int[] counts = new int[16];
        for (int i = 0; i < count; i++) {
            SendRoute route = send(available, Sent.id("same"));
            assertThat(route.refusal()).isNull();
            assertThat(route.keyed()).isFalse();
            counts[route.fragment()]++;
        }
        return counts;
    }

    @Test
    @DisplayName("PART-38, PART-37, C-21: 160 messages without a key, 10 in each fragment")
    void roundRobin() {
        assertThat(sendKeyless(160, ALL_UP)).containsOnly(10);
    }

    @Test
    @DisplayName("PART-38: clients with different starting points distribute evenly, from any starting point")
    void anyStart() {
        for (int start : new int[] {-1, 5, 16, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            RoundRobin other = new RoundRobin(16, start);
            int[] counts = new int[16];
            for (int i = 0; i < 32; i++) {
                counts[other.next(ALL_UP)]++;
            }
            assertThat(counts).containsOnly(2);
        }
    }

    @Test
    @DisplayName("SCN-9, PART-39: if the store of fragment 3 is down, all 160 go to other fragments, evenly")
    void skipsWhatIsDown() {
        int[] counts = sendKeyless(160, STORE_OF_3_DOWN);
        assertThat(counts[3]).isZero();
        assertThat(IntStream.of(counts))
                .filteredOn(count -> count > 0)
                .hasSize(15)
                .allMatch(count -> count == 10 || count == 11);
    }

    @Test
    @DisplayName("PART-39: sends succeed with 15 of 16 fragments down; with all down they fail with ServerBusy")
    void lastOneUp() {
        assertThat(send(fragment -> fragment == 9, Sent.plain()).fragment()).isEqualTo(9);
        SendRoute nowhere = send(fragment -> false, Sent.plain());
        assertThat(nowhere.fragment()).isEqualTo(-1);
        assertThat(Objects.requireNonNull(nowhere.refusal()).code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(send(ALL_UP, Sent.plain()).refusal()).isNull();
    }

    @Test
    @DisplayName("PART-24, PART-48: a key determines its fragment; sends with a key do not affect the order for"
            + " other sends")
    void keyedSends() {
        for (int i = 0; i < 5; i++) {
            SendRoute route = send(ALL_UP, Sent.key("myPartitionKey"));
            assertThat(route.fragment()).isEqualTo(14);
            assertThat(route.keyed()).isTrue();
        }
        assertThat(send(ALL_UP, Sent.plain()).fragment()).isZero();
    }

    @Test
    @DisplayName(
            "PART-28, PART-42, SCN-9: a send with a key to a fragment that is down is refused as transient and never"
                    + " redirected")
    void keyedSendsWaitForTheirFragment() {
        SendRoute refused = send(STORE_OF_3_DOWN, Sent.key("order-0001"));
        assertThat(refused.fragment()).isEqualTo(-1);
        Rejection refusal = Objects.requireNonNull(refused.refusal());
        assertThat(refusal.code()).isEqualTo(ErrorCode.SERVER_BUSY); // which SDKs retry
        assertThat(refusal.code().retryable()).isTrue();
        assertThat(refusal.description()).startsWith("PartitionNotOwned: Partition 3 of the entity is temporarily");
        assertThat(send(ALL_UP, Sent.key("order-0001")).fragment()).isEqualTo(3);
    }

    @Test
    @DisplayName("PART-32, MSG-8: messages without a common key are refused")
    void contradictions() {
        assertThat(Objects.requireNonNull(send(ALL_UP, Sent.both("a", "b")).refusal())
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(send(ALL_UP, Sent.key("a"), Sent.key("b")).fragment()).isEqualTo(-1);
    }
}
