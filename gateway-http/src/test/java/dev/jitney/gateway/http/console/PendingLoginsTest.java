package dev.jitney.gateway.http.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.console.PendingLogins.Pending;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the logins that have begun")
class PendingLoginsTest {
    private static final long NOW_MS = 1_795_244_503_000L;

    private final PendingLogins logins = new PendingLogins();

    private static Pending by(String address, long nowMs) {
        return new Pending("browser", "nonce", "verifier", null, address, nowMs);
    }

    private void fill(int count, IntFunction<String> address) {
        for (int i = 0; i < count; i++) {
            assertThat(logins.add("state-" + i, by(address.apply(i), NOW_MS))).isTrue();
        }
    }

    @Test
    @DisplayName("one is taken once, by its browser, within ten minutes")
    void once() {
        fill(2, i -> "a");
        assertThat(logins.take("state-0", "other", NOW_MS)).isNull();
        assertThat(logins.take("state-9", "browser", NOW_MS)).isNull();
        assertThat(logins.take("state-0", "browser", NOW_MS)).isNotNull();
        assertThat(logins.take("state-0", "browser", NOW_MS)).isNull();
        assertThat(logins.take("state-1", "browser", NOW_MS + PendingLogins.LIFE_MS))
                .isNull();
        assertThat(logins.size()).isZero();
    }

    @Test
    @DisplayName("an address with too many loses its oldest one, and takes no place of others")
    void ofOneAddress() {
        logins.add("victim", by("other", NOW_MS));
        fill(PendingLogins.LOGINS_MAX * 3, i -> "flood");
        assertThat(logins.size()).isEqualTo(PendingLogins.OF_ADDRESS_MAX + 1);
        assertThat(logins.take("victim", "browser", NOW_MS)).isNotNull();
        assertThat(logins.take("state-0", "browser", NOW_MS)).isNull();
    }

    @Test
    @DisplayName("at the limit of all, new ones are refused until old ones have ended")
    void ofAll() {
        fill(PendingLogins.LOGINS_MAX, i -> "address-" + i);
        assertThat(logins.add("more", by("new", NOW_MS))).isFalse();
        assertThat(logins.take("more", "browser", NOW_MS)).isNull();
        assertThat(logins.take("state-7", "browser", NOW_MS)).isNotNull();
        assertThat(logins.add("more", by("new", NOW_MS))).isTrue();
        assertThat(logins.add("again", by("new", NOW_MS + PendingLogins.LIFE_MS)))
                .isTrue();
        assertThat(logins.size()).isEqualTo(1);
    }
}
