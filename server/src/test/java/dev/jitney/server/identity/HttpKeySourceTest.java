package dev.jitney.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.server.identity.TestIdentityProvider.Mode;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class HttpKeySourceTest {
    private final TestIdentityProvider provider = new TestIdentityProvider();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        provider.close();
        executor.shutdownNow();
    }

    private HttpKeySource discovering(String issuer, long timeoutMs) {
        return new HttpKeySource(issuer, null, null, timeoutMs, executor);
    }

    @Test
    void findsTheKeysByTheDiscoveryDocument() {
        String keys = discovering(provider.issuer().issuer(), 5_000).read().join();

        assertThat(ProviderKeys.parse(keys).count()).isEqualTo(2);
    }

    @Test
    void readsAKnownAddress() {
        URI address = URI.create(provider.keysUri());
        String keys = new HttpKeySource("https://unreachable.invalid", address, null, 5_000, executor)
                .read()
                .join();

        assertThat(ProviderKeys.parse(keys).count()).isEqualTo(2);
        assertThat(provider.reads()).isEqualTo(1);
    }

    @Test
    void refusesTheDocumentOfAnotherIssuer() {
        provider.announce("https://evil.example.com");

        assertThatThrownBy(() ->
                        discovering(provider.issuer().issuer(), 5_000).read().join())
                .rootCause()
                .hasMessageContaining(
                        "Expected the issuer '" + provider.issuer().issuer() + "'");
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"ANSWERS"},
            mode = EnumSource.Mode.EXCLUDE)
    void givesUpWithinItsLimits(Mode mode) {
        provider.mode(mode);

        assertThatThrownBy(() ->
                        discovering(provider.issuer().issuer(), 500).read().join())
                .rootCause()
                .hasMessageContaining(
                        switch (mode) {
                            case FAILS -> "got 503";
                            case REDIRECTS -> "got 302";
                            case IS_HUGE -> "at most 262144 bytes";
                            default -> "within 500 ms";
                        });
    }
}
