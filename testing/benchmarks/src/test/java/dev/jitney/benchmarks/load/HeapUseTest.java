package dev.jitney.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Answers to {@code jcmd GC.heap_info} from different collectors and versions of Java. */
final class HeapUseTest {

    @Test
    void readsTheHeapOfTheGarbageFirstCollector() {
        String answer = """
                4711:
                 garbage-first heap   total 524288K, used 21504K [0x0000000080000000, 0x0000000100000000)
                  region size 1024K, 3 young (3072K), 0 survivors (0K)
                 Metaspace       used 38311K, committed 38784K, reserved 1089536K
                  class space    used 4343K, committed 4544K, reserved 1048576K
                """;

        assertThat(HeapUse.parse(answer)).isEqualTo(21);
    }

    @Test
    void readsItOfANewerJava() {
        assertThat(HeapUse.parse(
                        "garbage-first heap   total reserved 6160384K, committed 385024K, used 9216K [0x1, 0x2)"))
                .isEqualTo(9);
    }

    @Test
    void addsUpTheGenerationsOfTheSerialCollector() {
        String answer = """
                 def new generation   total 78656K, used 2048K [0x1, 0x2, 0x3)
                  eden space 69952K,   2% used [0x1, 0x2, 0x3)
                 tenured generation   total 174784K, used 1024K [0x1, 0x2, 0x3)
                   the space 174784K,   0% used [0x1, 0x2, 0x3)
                 Metaspace       used 138K, committed 320K, reserved 1056768K
                """;

        assertThat(HeapUse.parse(answer)).isEqualTo(3);
    }

    @Test
    void doesNotKnowWhatItCannotRead() {
        assertThat(HeapUse.parse("4711:\njava.io.IOException: well\n")).isEqualTo(-1);
    }
}
