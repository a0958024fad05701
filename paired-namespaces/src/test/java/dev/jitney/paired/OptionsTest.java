package dev.jitney.paired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OptionsTest {
    private final Pair pair = new Pair();

    private SendAvailabilityPairedNamespaceOptions.Builder builder() {
        return SendAvailabilityPairedNamespaceOptions.builder(pair.secondary);
    }

    record Range(
            String option,
            Duration min,
            Duration max,
            BiFunction<
                            SendAvailabilityPairedNamespaceOptions.Builder,
                            Duration,
                            SendAvailabilityPairedNamespaceOptions.Builder>
                    set,
            Function<SendAvailabilityPairedNamespaceOptions, Duration> get) {
        @Override
        public String toString() {
            return option;
        }
    }

    static Range[] ranges() {
        return new Range[] {
            new Range(
                    "failoverInterval",
                    Duration.ZERO,
                    Duration.ofMinutes(60),
                    SendAvailabilityPairedNamespaceOptions.Builder::failoverInterval,
                    SendAvailabilityPairedNamespaceOptions::failoverInterval),
            new Range(
                    "pingPrimaryInterval",
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(30),
                    SendAvailabilityPairedNamespaceOptions.Builder::pingPrimaryInterval,
                    SendAvailabilityPairedNamespaceOptions::pingPrimaryInterval),
            new Range(
                    "syphonRetryInterval",
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(2),
                    SendAvailabilityPairedNamespaceOptions.Builder::syphonRetryInterval,
                    SendAvailabilityPairedNamespaceOptions::syphonRetryInterval),
            new Range(
                    "pingTimeout",
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(30),
                    SendAvailabilityPairedNamespaceOptions.Builder::pingTimeout,
                    SendAvailabilityPairedNamespaceOptions::pingTimeout),
            new Range(
                    "syphonReadTimeout",
                    Duration.ofSeconds(1),
                    Duration.ofHours(24),
                    SendAvailabilityPairedNamespaceOptions.Builder::syphonReadTimeout,
                    SendAvailabilityPairedNamespaceOptions::syphonReadTimeout),
            new Range(
                    "closeGrace",
                    Duration.ZERO,
                    Duration.ofHours(1),
                    SendAvailabilityPairedNamespaceOptions.Builder::closeGrace,
                    SendAvailabilityPairedNamespaceOptions::closeGrace),
        };
    }

    @ParameterizedTest(name = "PAIR-2: {0}")
    @MethodSource("ranges")
    @DisplayName("PAIR-2: the bounds are accepted, and a value one millisecond outside is refused when it is set")
    void holdsTheBounds(Range range) {
        for (Duration bound : new Duration[] {range.min(), range.max()}) {
            assertThat(range.get().apply(range.set().apply(builder(), bound).build()))
                    .isEqualTo(bound);
        }
        for (Duration beyond :
                new Duration[] {range.min().minusMillis(1), range.max().plusMillis(1)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> range.set().apply(builder(), beyond))
                    .withMessageContaining(range.option())
                    .withMessageContaining(beyond.toString());
        }
        assertThatNullPointerException().isThrownBy(() -> range.set().apply(builder(), null));
    }

    @ParameterizedTest(name = "PAIR-2: {0} backlog queues")
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 10_001})
    @DisplayName("PAIR-2: zero backlog queues are refused, and more than a namespace can have")
    void refusesNoBacklogQueue(int count) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().backlogQueueCount(count))
                .withMessageContaining("backlogQueueCount");
    }

    @Test
    @DisplayName("PAIR-2: batch and prefetch of the syphon have bounds")
    void holdsTheBoundsOfTheSyphon() {
        assertThat(builder().syphonBatch(1).syphonPrefetch(0).build().syphonPrefetch())
                .isZero();
        assertThat(builder().syphonBatch(1_000).build().syphonBatch()).isEqualTo(1_000);
        for (int count : new int[] {0, 1_001}) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder().syphonBatch(count));
        }
        for (int count : new int[] {-1, 1_001}) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder().syphonPrefetch(count));
        }
    }

    @Test
    @DisplayName("PAIR-2, 18.1: the defaults are those of the table")
    void hasTheDefaultsOfTheTable() {
        SendAvailabilityPairedNamespaceOptions options = builder().build();

        assertThat(options.secondary()).isSameAs(pair.secondary);
        assertThat(options.backlogQueueCount()).isEqualTo(10);
        assertThat(options.failoverInterval()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.pingPrimaryInterval()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.pingTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(options.enableSyphon()).isFalse();
        assertThat(options.syphonRetryInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.syphonReadTimeout()).isEqualTo(Duration.ofMinutes(15));
        assertThat(options.syphonBatch()).isEqualTo(100);
        assertThat(options.syphonPrefetch()).isEqualTo(100);
        assertThat(options.closeGrace()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.classifier()).isEqualTo(FailureClassifier.SEED);
        assertThatNullPointerException().isThrownBy(() -> SendAvailabilityPairedNamespaceOptions.builder(null));
    }
}
