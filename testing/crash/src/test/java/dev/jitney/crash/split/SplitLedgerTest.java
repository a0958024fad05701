package dev.jitney.crash.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ledger of the split tests")
class SplitLedgerTest {
    private static final String LOCKED = SplitClient.LOCKED;
    private static final String TAKEN = SplitClient.TAKEN;
    private static final int A = 0;
    private static final int B = 1;

    private final SplitLedger ledger = new SplitLedger();
    private final int message = ledger.begin(SplitClient.QUEUES);

    private void complete(int node) {
        ledger.completing(LOCKED, message);
        ledger.completed(node, LOCKED, message, System.nanoTime());
    }

    @Test
    @DisplayName("accepts a message that is sent, delivered again after a refused completion, and completed")
    void good() {
        ledger.accepted(A, LOCKED, message, System.nanoTime());
        ledger.delivered(A, LOCKED, message, 1, System.nanoTime());
        ledger.completing(LOCKED, message);
        ledger.refused(A, LOCKED, message, "com.microsoft:message-lock-lost");
        ledger.delivered(B, LOCKED, message, 1, System.nanoTime());
        complete(B);
        ledger.checkEmpty();
        assertThat(ledger.complaints()).isEmpty();
    }

    @Test
    @DisplayName("reports an accepted message that never arrives, or not again after a refused completion")
    void lost() {
        int other = ledger.begin(List.of(LOCKED));
        ledger.accepted(A, LOCKED, message, System.nanoTime());
        ledger.accepted(A, LOCKED, other, System.nanoTime());
        ledger.delivered(A, LOCKED, other, 1, System.nanoTime());
        ledger.completing(LOCKED, other);
        ledger.refused(A, LOCKED, other, "com.microsoft:message-lock-lost");
        ledger.checkEmpty();
        assertThat(ledger.complaints())
                .hasSize(2)
                .allMatch(text -> text.contains(" of locked was accepted, but is lost:"));
    }

    @Test
    @DisplayName("reports a message that comes back over a new connection, but not one that the network has delayed")
    void back() {
        long oldNanos = System.nanoTime();
        ledger.split();
        ledger.delivered(B, LOCKED, message, 1, System.nanoTime());
        complete(B);
        ledger.delivered(A, LOCKED, message, 1, oldNanos);
        assertThat(ledger.complaints()).isEmpty();
        ledger.delivered(A, LOCKED, message, 1, System.nanoTime());
        assertThat(ledger.complaints()).singleElement().asString().contains("came back through node a");
    }

    @Test
    @DisplayName("reports a second confirmation, and a second receive-and-delete (CL-27)")
    void twice() {
        ledger.delivered(A, LOCKED, message, 1, System.nanoTime());
        complete(A);
        complete(B);
        ledger.taken(A, TAKEN, message, 1);
        ledger.taken(B, TAKEN, message, 1);
        assertThat(ledger.complaints()).hasSize(2);
    }

    @Test
    @DisplayName("reports two messages with one sequence number, and one message with two (CL-25)")
    void sequenceNumbers() {
        int other = ledger.begin(List.of(LOCKED));
        ledger.delivered(A, LOCKED, message, 1, System.nanoTime());
        ledger.delivered(B, LOCKED, other, 1, System.nanoTime());
        ledger.delivered(B, LOCKED, message, 2, System.nanoTime());
        assertThat(ledger.complaints()).hasSize(2);
    }

    @Test
    @DisplayName(
            "reports acknowledgments of a node that is cut off, and deliveries after another node serves (CL-9, CL-10)")
    void cutOff() {
        ledger.split();
        long cutNanos = System.nanoTime();
        ledger.accepted(B, LOCKED, message, cutNanos + 1);
        ledger.checkSilent(A, cutNanos, cutNanos, 0);
        assertThat(ledger.complaints()).isEmpty();
        ledger.accepted(A, LOCKED, message, cutNanos + 1);
        ledger.delivered(A, LOCKED, message, 1, cutNanos);
        ledger.checkSilent(A, cutNanos, cutNanos, 0);
        assertThat(ledger.complaints()).hasSize(2);
    }
}
