package dev.jitney.gateway.amqp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.qpid.protonj2.types.Symbol;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SymbolCacheTest {

    @Test
    @DisplayName("Invented symbols do not fill the heap, and symbols stay equal after the cache is cleared")
    void forgets() {
        Symbol before = Symbol.valueOf("kept-by-its-bytes");
        for (int i = 0; i < 50_000; i++) {
            assertThat(Symbol.valueOf("made-up-" + i).toString()).isNotEmpty();
            SymbolCache.bound();
            assertThat(SymbolCache.size()).isLessThanOrEqualTo(1_025);
        }
        assertThat(Symbol.valueOf("kept-by-its-bytes")).isEqualTo(before).hasSameHashCodeAs(before);
    }

    @Test
    @DisplayName("The maps exist in this version of the engine")
    void found() {
        Symbol.valueOf("found").toString();
        assertThat(SymbolCache.size()).isPositive();
    }
}
