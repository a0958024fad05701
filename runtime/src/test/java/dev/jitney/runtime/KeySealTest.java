package dev.jitney.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The seal of access keys")
class KeySealTest {
    private static final String ONE = Base64.getEncoder().encodeToString(new byte[32]);
    private static final String TWO = Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes());

    @Test
    @DisplayName("encrypts differently each time, and decrypts with the same key and for the same rule only")
    void sealsAndOpens() {
        KeySeal seal = KeySeal.parse(ONE);
        String sealed = seal.seal("web", "the-key");
        assertThat(sealed)
                .doesNotContain("the-key")
                .contains(seal.currentId())
                .isNotEqualTo(seal.seal("web", "the-key"));
        assertThat(seal.open("web", sealed)).isEqualTo("the-key");
        assertThat(seal.open("other", sealed)).isNull();
        assertThat(KeySeal.parse(TWO).open("web", sealed)).isNull();
        assertThat(KeySeal.NONE.open("web", sealed)).isNull();
        String changed = sealed.substring(0, sealed.length() - 5) + (sealed.endsWith("AAAA=") ? "BBBB=" : "AAAA=");
        assertThat(seal.open("web", changed)).isNull();
        assertThat(seal.open("web", sealed.substring(0, 12))).isNull();
        assertThat(seal.open("web", sealed.substring(0, 30))).isNull();
        assertThat(seal.open("web", "plain")).isEqualTo("plain");
    }

    @Test
    @DisplayName("decrypts with older keys, and encrypts with the first one, or with none")
    void rotates() {
        String sealed = KeySeal.parse(ONE).seal("web", "the-key");
        KeySeal both = KeySeal.parse("# the new one\n" + TWO + "\n\n" + ONE + "\n");
        assertThat(both.open("web", sealed)).isEqualTo("the-key");
        assertThat(KeySeal.parse(TWO).open("web", both.seal("web", "k"))).isEqualTo("k");
        KeySeal off = KeySeal.parse("none\n" + ONE);
        assertThat(off.open("web", sealed)).isEqualTo("the-key");
        assertThat(off.seal("web", "k")).isEqualTo("k");
        assertThat(off.currentId()).isEmpty();
        byte[] text = {1, 2};
        assertThat(both.fingerprints(text)).containsAll(KeySeal.parse(ONE).fingerprints(text));
        assertThat(off.fingerprints(text).get(0))
                .isEqualTo(KeySeal.NONE.fingerprints(text).get(0));
        assertThat(KeySeal.parse(ONE).fingerprints(text).get(0)).startsWith("hmac:");
    }

    @Test
    @DisplayName("refuses files of another form, and never shows a key")
    void refusals() {
        for (String bad : new String[] {"", "# nothing", "short", ONE + ONE, "x".repeat(44), (ONE + "\n").repeat(17)}) {
            assertThatThrownBy(() -> KeySeal.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("openssl rand -base64 32");
        }
        assertThat(KeySeal.parse(TWO).toString())
                .doesNotContain(TWO)
                .doesNotContain("0123456789abcdef0123456789abcdef");
    }
}
