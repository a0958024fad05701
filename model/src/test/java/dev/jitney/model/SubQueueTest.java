package dev.jitney.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SubQueueTest {

    @Test
    @DisplayName("DLQ-33, DLQ-35: the exact suffixes that path formatters append")
    void suffixes() {
        assertThat("q" + SubQueue.MAIN.suffix()).isEqualTo("q");
        assertThat("q" + SubQueue.DEAD_LETTER.suffix()).isEqualTo("q/$DeadLetterQueue");
        assertThat("t/Subscriptions/s" + SubQueue.DEAD_LETTER.suffix()).isEqualTo("t/Subscriptions/s/$DeadLetterQueue");
        assertThat("q" + SubQueue.TRANSFER_DEAD_LETTER.suffix()).isEqualTo("q/$Transfer/$DeadLetterQueue");
    }

    @Test
    @DisplayName("DLQ-35: parsing a formatted path gives the entity and the sub-queue back")
    void formattedPathsAreReadBack() {
        for (SubQueue subQueue : SubQueue.values()) {
            for (String path : new String[] {"q", "a/b", "t/Subscriptions/s"}) {
                EntityAddress address = EntityAddress.parse(path + subQueue.suffix());
                assertThat(address.path()).isEqualTo(path);
                assertThat(address.subQueue()).isEqualTo(subQueue);
            }
        }
    }

    @Test
    @DisplayName("SUSP-4: the only statuses are the four that clients can set")
    void noSystemStates() {
        assertThat(EntityStatus.values())
                .extracting(EntityStatus::name)
                .containsExactlyInAnyOrder("ACTIVE", "DISABLED", "SEND_DISABLED", "RECEIVE_DISABLED");
    }
}
