package dev.jitney.cli.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @DisplayName("Durations are parsed and printed in the short form and in the form of Service Bus")
    @CsvSource({
        "30s,PT30S,30s",
        "5m,PT5M,5m",
        "90m,PT1H30M,1h30m",
        "1h30m,PT1H30M,1h30m",
        "14d,P14D,14d",
        "1d2h3m4s,P1DT2H3M4S,1d2h3m4s",
        "1.5s,PT1.5S,1.5s",
        "250ms,PT0.25S,0.25s",
        "PT5M,PT5M,5m",
        "p14d,P14D,14d",
        "0s,PT0S,0",
        "never,P10675199DT2H48M5.4775807S,never",
        "max,P10675199DT2H48M5.4775807S,never",
        "P10675199DT2H48M5.477S,P10675199DT2H48M5.4775807S,never",
        "P106751991167300DT15H30M7S,P10675199DT2H48M5.4775807S,never",
    })
    void readsAndWrites(String text, String iso, String readable) {
        Duration duration = Durations.parse(text);
        assertThat(Durations.iso(duration)).isEqualTo(iso);
        assertThat(Durations.readable(duration)).isEqualTo(readable);
        assertThat(Durations.parse(iso)).isEqualTo(duration);
    }

    @ParameterizedTest
    @DisplayName("An invalid duration is refused with examples")
    @ValueSource(strings = {"", " ", "soon", "5", "-5m", "PT-5M", "5m5", "99999999999999999999d", "P", "1s1m"})
    void refusesOthers(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("30s, 5m")
                .hasMessageContaining("'" + text + "'");
    }
}
