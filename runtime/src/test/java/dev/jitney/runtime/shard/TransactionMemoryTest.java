package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("QUOTA-12: the memory of open transactions is shared, and each store has a reserve")
class TransactionMemoryTest {

    @Test
    @DisplayName("a store whose transactions hold nothing works while those of another store hold all the memory")
    void reserve() {
        TransactionMemory memory = new TransactionMemory(1_000, 2);
        assertThat(memory.hasRoom(0, 1_000)).isTrue();
        memory.add(1_000);
        // the reserve is a quarter of the store's half
        assertThat(memory.hasRoom(1_000, 1)).isFalse();
        assertThat(memory.hasRoom(0, 125)).isTrue();
        assertThat(memory.hasRoom(0, 126)).isFalse();
        assertThat(memory.hasRoom(100, 26)).isFalse();
    }
}
