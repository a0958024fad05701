package dev.jitney.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The levels of a release")
class FormatLevelsTest {
    private static final FormatLevels TWO_TO_THREE = new FormatLevels(2, 3);

    @Test
    @DisplayName("accept the levels in between, and refuse others with the remedy (CL-61, CL-84)")
    void refusal() {
        assertThat(TWO_TO_THREE.refusal(2, "1.3.0")).isNull();
        assertThat(TWO_TO_THREE.refusal(3, "")).isNull();
        assertThat(TWO_TO_THREE.refusal(4, ""))
                .isEqualTo(
                        "The data has level 4, but the release of the node supports levels 2 to 3. Install a release that"
                                + " supports level 4 or a newer one on the node.");
        assertThat(TWO_TO_THREE.refusal(4, "1.3.0")).endsWith("Install release 1.3.0 or a newer one on the node.");
        assertThat(TWO_TO_THREE.refusal(1, "1.3.0")).contains("Install the release before it on the node");
        assertThat(FormatLevels.ONLY_FIRST).hasToString("level 1 only");
    }

    @Test
    @DisplayName("are at least one, in order (CL-60)")
    void invalid() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FormatLevels(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new FormatLevels(2, 1));
    }
}
