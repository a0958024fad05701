package dev.jitney.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PART-5 to PART-7, PART-18, PART-20, PART-21, PART-63: partitioned entities and their sizes")
class PartitioningTest {
    private static final Partitioning ON = new Partitioning(true, 2);
    private static final Partitioning ONE_IN_PREMIUM = new Partitioning(false, 1);

    @ParameterizedTest
    @CsvSource({
        // tier, on by default, EnablePartitioning, partitioned
        "STANDARD, false, , false",
        "STANDARD, true, , true",
        "STANDARD, false, true, true",
        "STANDARD, true, false, false",
        "BASIC, false, , false",
        "BASIC, true, , true",
        "PREMIUM, false, , true",
        "PREMIUM, true, , true",
        "PREMIUM, false, false, true",
        "PREMIUM, false, true, true",
    })
    @DisplayName("PART-5, PART-6, PART-7: the tier, the namespace setting and the description decide")
    void decidesWhetherAnEntityIsPartitioned(
            TierProfile tier, boolean byDefault, @Nullable Boolean asked, boolean expected) {
        Partitioning settings = new Partitioning(byDefault, 2);
        assertThat(settings.enabled(asked, tier)).isEqualTo(expected);
        assertThat(settings.refuse(asked, tier)).isNull();
    }

    @Test
    @DisplayName("PART-5: outside PREMIUM no entity is partitioned by default unless the namespace setting is on")
    void isOffByDefault() {
        assertThat(Partitioning.DEFAULT.enabled(null, TierProfile.STANDARD)).isFalse();
        assertThat(Partitioning.DEFAULT.enabled(null, TierProfile.PREMIUM)).isTrue();
    }

    @Test
    @DisplayName(
            "PART-7, HTTP 5.3: with premiumMessagingPartitions=1 no entity is partitioned, and EnablePartitioning is"
                    + " refused")
    void premiumWithOnePartition() {
        assertThat(ONE_IN_PREMIUM.enabled(null, TierProfile.PREMIUM)).isFalse();
        assertThat(ONE_IN_PREMIUM.enabled(false, TierProfile.PREMIUM)).isFalse();
        assertThat(ONE_IN_PREMIUM.refuse(false, TierProfile.PREMIUM)).isNull();
        assertThat(ONE_IN_PREMIUM.fragments(false, TierProfile.PREMIUM)).isEqualTo(1);
        Rejection refusal = Objects.requireNonNull(ONE_IN_PREMIUM.refuse(true, TierProfile.PREMIUM));
        assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(ONE_IN_PREMIUM.refuse(true, TierProfile.STANDARD)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "STANDARD, 2, 16",
        "BASIC, 2, 16",
        "STANDARD, 4, 16",
        "PREMIUM, 2, 2",
        "PREMIUM, 4, 4",
        "PREMIUM, 1, 1",
    })
    @DisplayName("PART-18, PART-20, C-23: 16 fragments; in PREMIUM the number that the namespace sets")
    void countsFragments(TierProfile tier, int premiumPartitions, int expected) {
        Partitioning settings = new Partitioning(false, premiumPartitions);
        assertThat(settings.fragments(true, tier)).isEqualTo(expected);
        assertThat(settings.fragments(false, tier)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 8, -1})
    @DisplayName("C-23: numbers of partitions other than 1, 2 and 4 are refused")
    void refusesOtherCounts(int count) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Partitioning(false, count))
                .withMessageContaining("1, 2 or 4");
    }

    @ParameterizedTest
    @CsvSource({
        // tier, partitioned, configured megabytes, shown megabytes, bytes per fragment
        "STANDARD, true, 5120, 81920, 5368709120",
        "STANDARD, true, 1024, 16384, 1073741824",
        "STANDARD, false, 5120, 5120, 5368709120",
        "PREMIUM, true, 81920, 81920, 42949672960",
        "PREMIUM, true, 1024, 1024, 536870912",
    })
    @DisplayName("PART-18, PART-20, PART-21, QUOTA-4: the size is that of each fragment, and in PREMIUM that of all"
            + " fragments together")
    void sizes(TierProfile tier, boolean partitioned, long megabytes, long shown, long fragmentBytes) {
        assertThat(ON.effectiveMegabytes(megabytes, partitioned, tier)).isEqualTo(shown);
        assertThat(ON.fragmentBytesMax(megabytes, partitioned, tier)).isEqualTo(fragmentBytes);
    }

    @Test
    @DisplayName("PART-63: the 101st partitioned entity is refused, except in PREMIUM")
    void limitsThePartitionedEntitiesOfANamespace() {
        long max = Limits.of(TierProfile.STANDARD).maxPartitionedEntities();
        assertThat(Partitioning.refuseOneMore(99, max)).isNull();
        Rejection refusal = Objects.requireNonNull(Partitioning.refuseOneMore(100, max));
        assertThat(refusal.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(refusal.description()).contains("at most 100 partitioned");
        long none = Limits.of(TierProfile.PREMIUM).maxPartitionedEntities();
        assertThat(Partitioning.refuseOneMore(100, none)).isNull();
    }
}
