package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.model.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("SEQ-3: the end of the sequence numbers")
class LastNumbersTest {
    private static final long LAST = FragmentNumbers.COUNT_MAX - (1L << 32);

    private final QueueFixture q = given(queue());

    @Test
    @DisplayName(
            "SEQ-3: a queue at the end of its numbers refuses messages instead of using numbers of another fragment")
    void takesNoMore() {
        q.state.lastSequenceNumber = LAST;
        assertThat(q.send("last")).isEqualTo(LAST + 1);
        assertThat(q.refusedAs(new Command.SendMessages(List.of(message("more").build()))))
                .isEqualTo(ErrorCode.QUOTA_EXCEEDED);
    }

    @Test
    @DisplayName("SEQ-3, SCHED-3: existing scheduled messages still become due")
    void goesOn() {
        q.sendAll(message("later").scheduledAt(1_000).build());
        q.state.lastSequenceNumber = LAST + 5;
        q.at(2_000);
        assertThat(q.receiveOne().sequenceNumber()).isEqualTo(LAST + 6);
    }
}
