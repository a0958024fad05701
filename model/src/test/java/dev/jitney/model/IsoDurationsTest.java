package dev.jitney.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP reference 6.1. */
class IsoDurationsTest {

    @ParameterizedTest
    @DisplayName("HTTP 6.1: every form that SDKs write is parsed and formatted in the canonical form")
    @CsvSource({
        "PT1M,60000,PT1M",
        "PT60S,60000,PT1M",
        "P1D,86400000,P1D",
        "PT48H,172800000,P2D",
        "PT25H,90000000,P1DT1H",
        "P1DT1H,90000000,P1DT1H",
        "PT30.5S,30500,PT30.5S",
        "PT0.0019999S,1,PT0.001S",
        "PT0S,0,PT0S",
        "P1Y,31536000000,P365D",
        "P1M,2592000000,P30D",
        "P1Y2M3DT4H5M6S,36993906000,P428DT4H5M6S",
        "-PT1S,-1000,-PT1S",
        "P10675199DT2H48M4.999S,922337203684999,P10675199DT2H48M4.999S",
    })
    void readsAndWrites(String text, long ms, String canonical) {
        assertThat(IsoDurations.parseMs(text)).isEqualTo(ms);
        assertThat(IsoDurations.format(ms)).isEqualTo(canonical);
        assertThat(IsoDurations.parseMs(canonical)).isEqualTo(ms);
    }

    @ParameterizedTest
    @DisplayName("HTTP 6.1 rule 1 and 38: a duration at or above the largest time span becomes MAX")
    @ValueSource(
            strings = {
                "P10675199DT2H48M5S",
                "P10675199DT2H48M5.477S",
                "P10675199DT2H48M5.477539S",
                "P10675199DT2H48M5.4775807S",
                "P106751991167300DT15H30M7S",
                "P99999999999999999999999999999999999999D",
            })
    void clampsToMax(String text) {
        assertThat(IsoDurations.parseMs(text)).isEqualTo(MessageView.NEVER);
        assertThat(IsoDurations.format(IsoDurations.parseMs(text))).isEqualTo("P10675199DT2H48M5.4775807S");
    }

    @ParameterizedTest
    @DisplayName("HTTP 6.1: weeks, .NET time spans and anything else are refused")
    @ValueSource(
            strings = {
                "",
                "P",
                "PT",
                "P1DT",
                "P1W",
                "1.00:00:00",
                "10675199.02:48:05",
                "PT1",
                "T1S",
                "pt1m",
                "PT1M ",
                "PT-1S",
                "PT1.S",
                "PT.5S",
                "PT0.1234567890S",
                "P1H",
                "PT1S1M"
            })
    void refuses(String text) {
        assertThatThrownBy(() -> IsoDurations.parseMs(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ISO 8601 duration");
    }

    @Test
    @DisplayName("A text that is too long is refused without parsing it, and the error shortens it")
    void refusesOverlongText() {
        assertThatThrownBy(() -> IsoDurations.parseMs("P" + "1".repeat(1_000_000) + "D"))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "P10675199DT2H48M5S",
                "P10675199DT2H48M5.477S",
                "P10675199DT2H48M5.477539S",
                "P10675199DT2H48M5.4775807S",
                "P106751991167300DT15H30M7S",
                "P106751991167300DT15H30M7.999999999S",
            })
    @DisplayName("HTTP 5.2, 6.1: the largest time span in the spelling of each SDK is an unlimited time to live")
    void longestTimeToLive(String text) {
        assertThat(IsoDurations.parseTimeToLiveMs(text)).isEqualTo(MessageView.NEVER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "P10675199DT2H48M5.4775808S",
                "P10675199DT2H48M6S",
                "P10675200D",
                "P40000Y",
                "P106751991167300DT15H30M6S",
                "P106751991167300DT15H30M8S",
            })
    @DisplayName("HTTP 5.2: a time to live above the largest time span is refused")
    void tooLongTimeToLive(String text) {
        assertThatThrownBy(() -> IsoDurations.parseTimeToLiveMs(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Expected a duration of at most P10675199DT2H48M5.4775807S, but got '" + text + "'.");
    }
}
