package dev.jitney.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.Limits;
import dev.jitney.model.TierProfile;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LimitSettingsTest {

    @Test
    @DisplayName("QUOTA-12: every quota is a setting, and nothing else changes")
    void setsEveryLimit() {
        Limits standard = Limits.of(TierProfile.STANDARD);
        assertThat(LimitSettings.apply(standard, Map.of())).isEqualTo(standard);
        Map<String, Long> all = new HashMap<>();
        for (String name : LimitSettings.names()) {
            Limits one = LimitSettings.apply(standard, Map.of(name, 7L));
            assertThat(one).isNotEqualTo(standard);
            all.put(name, 7L);
        }
        Limits seven = LimitSettings.apply(standard, all);
        assertThat(seven.tier()).isEqualTo(TierProfile.STANDARD);
        assertThat(seven.maxLocks()).isEqualTo(7);
        assertThat(seven.maxMessageSizeBytes()).isEqualTo(7);
    }

    @Test
    @DisplayName("QUOTA-12: names of limits match in any case, and values are checked")
    void checksValues() {
        assertThat(LimitSettings.canonicalName("MAXLOCKS")).isEqualTo("maxLocks");
        assertThat(LimitSettings.environmentName("maxMessageSizeBytes"))
                .isEqualTo("JITNEY_LIMIT_MAX_MESSAGE_SIZE_BYTES");
        assertThat(LimitSettings.checked("maxMessageSizeBytes", 104_857_600)).isEqualTo(104_857_600);
        assertThatThrownBy(() -> LimitSettings.checked("maxMessageSizeBytes", 104_857_601))
                .hasMessage("Expected 1 to 104857600 for maxMessageSizeBytes, but got 104857601.");
        assertThatThrownBy(() -> LimitSettings.checked("maxLocks", 0)).hasMessageContaining("Expected 1 to");
        assertThatThrownBy(() -> LimitSettings.checked("maxLocks", 1L << 31)).hasMessageContaining("2147483647");
        assertThatThrownBy(() -> LimitSettings.canonicalName("tier")).hasMessageContaining("maxLocks");
    }
}
