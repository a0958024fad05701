package dev.jitney.gateway.http.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestIdentities;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.security.LoginException;
import dev.jitney.runtime.security.LoginProvider;
import dev.jitney.runtime.security.OperatorRole;
import dev.jitney.runtime.security.Permission;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the session of a user of the identity provider")
class UserSessionsTest extends ConsoleScenario {
    private static final String ENTITIES = "/$operator/v1/entities";
    private static final long LIFE_MS = 300_000;

    private final TestIdentities identities = new TestIdentities();
    private final Provider provider = new Provider();

    /** A provider whose codes are the names of roles. */
    private final class Provider implements LoginProvider {
        private final AtomicInteger renewals = new AtomicInteger();
        private volatile boolean refreshes;
        private volatile boolean secure;
        private volatile @Nullable LoginException failure;
        private volatile CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

        @Override
        public boolean isConfigured() {
            return true;
        }

        @Override
        public String name() {
            return "login.example.com";
        }

        @Override
        public URI consoleUrl() {
            return URI.create(secure ? origin().replace("http:", "https:") : origin());
        }

        @Override
        public CompletionStage<URI> start(String state, String nonce, String challenge) {
            return CompletableFuture.completedFuture(URI.create("https://login.example.com/?state=" + state));
        }

        @Override
        public CompletionStage<Login> redeem(Answer answer, String nonce, String verifier, long nowMs) {
            return CompletableFuture.completedFuture(login(String.valueOf(answer.code())));
        }

        @Override
        public CompletionStage<Login> renew(Login login, long nowMs) {
            renewals.incrementAndGet();
            LoginException refused = failure;
            return held.thenCompose(done -> refused == null
                    ? CompletableFuture.completedFuture(
                            login(login.identity().roles().get(0)))
                    : CompletableFuture.failedFuture(refused));
        }

        private Login login(String role) {
            return new Login(identities.identity(role, broker.nowMs.get() + LIFE_MS), refreshes ? "refresh" : null);
        }

        @Override
        public CompletionStage<Optional<URI>> endOfSession() {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    @Override
    ClientAdmission admission() {
        return ClientAdmission.open().withIdentities(identities);
    }

    @BeforeEach
    void open() throws Exception {
        identities.give("viewer", new Permission(Set.of(), OperatorRole.VIEWER, null, ""));
        identities.give("other", new Permission(Set.of(), OperatorRole.VIEWER, null, ""));
        identities.login(provider);
        open(ConsoleAccess.LOOPBACK);
        broker.create("orders");
    }

    private String logIn(String role) throws Exception {
        Answer begun = own("GET", ProviderLogin.START, "");
        String state = begun.headers().get("location").replaceAll(".*state=", "");
        Answer entered =
                own("GET", ProviderLogin.CALLBACK + "?state=" + state + "&code=" + role, "", "Cookie", begun.cookie());
        assertThat(entered.headers()).containsEntry("location", "/console/");
        return Arrays.stream(entered.headers().get("set-cookie").split("\n"))
                .filter(cookie -> cookie.startsWith("jitney-console"))
                .findFirst()
                .orElseThrow()
                .split(";")[0];
    }

    private int status(String cookie) throws Exception {
        return own("GET", ENTITIES, "", "Cookie", cookie).status();
    }

    @Test
    @DisplayName("a user with too many sessions loses the oldest one, and others keep theirs")
    void tooMany() throws Exception {
        String other = logIn("other");
        List<String> cookies = new ArrayList<>();
        for (int i = 0; i <= ConsoleSessions.OF_USER_MAX; i++) {
            cookies.add(logIn("viewer"));
        }
        assertThat(status(cookies.get(0))).isEqualTo(401);
        assertThat(status(cookies.get(1))).isEqualTo(200);
        assertThat(status(cookies.get(ConsoleSessions.OF_USER_MAX))).isEqualTo(200);
        assertThat(status(other)).isEqualTo(200);
    }

    @Test
    @DisplayName("with https in the address of the console, all cookies are secure, also if a proxy ends TLS")
    void secureCookies() throws Exception {
        provider.secure = true;
        Answer begun = own("GET", ProviderLogin.START, "");
        assertThat(begun.headers().get("set-cookie"))
                .startsWith("__Host-jitney-login-" + port() + "=")
                .contains("; Path=/;", "; Secure", "HTTPOnly", "SameSite=Lax");
        String state = begun.headers().get("location").replaceAll(".*state=", "");
        Answer entered =
                own("GET", ProviderLogin.CALLBACK + "?state=" + state + "&code=viewer", "", "Cookie", begun.cookie());
        assertThat(entered.headers().get("set-cookie").split("\n"))
                .hasSize(2)
                .allMatch(cookie -> cookie.contains("; Secure"));
    }

    @Test
    @DisplayName("it ends when the provider withdraws the key that signed the token")
    void withdrawnKey() throws Exception {
        String cookie = logIn("viewer");
        assertThat(status(cookie)).isEqualTo(200);
        identities.withdrawKeyOf("viewer");
        assertThat(status(cookie)).isEqualTo(401);
        assertThat(own("GET", "/console/session", "", "Cookie", cookie).json().getBoolean("loggedIn"))
                .isFalse();
    }

    @Test
    @DisplayName("it ends with the tokens, and with refresh tokens after eight hours")
    void ends() throws Exception {
        String without = logIn("viewer");
        provider.refreshes = true;
        String with = logIn("viewer");
        broker.nowMs.addAndGet(LIFE_MS);
        assertThat(status(without)).isEqualTo(401);
        assertThat(status(with)).isEqualTo(200);
        assertThat(provider.renewals).hasValue(1);
        broker.nowMs.addAndGet(ConsoleSessions.LIFE_MS - LIFE_MS - 1);
        assertThat(status(with)).isEqualTo(200);
        broker.nowMs.incrementAndGet();
        assertThat(status(with)).isEqualTo(401);
    }

    @Test
    @DisplayName(
            "a provider that is away costs the session only when the tokens expire, and is tried every ten seconds")
    void providerAway() throws Exception {
        provider.refreshes = true;
        String cookie = logIn("viewer");
        provider.failure = new LoginException(LoginException.Reason.PROVIDER, "away");
        broker.nowMs.addAndGet(LIFE_MS - 20_000);
        assertThat(status(cookie)).isEqualTo(200);
        assertThat(status(cookie)).isEqualTo(200);
        assertThat(provider.renewals).hasValue(1);
        broker.nowMs.addAndGet(20_000);
        assertThat(status(cookie)).isEqualTo(401);
        assertThat(provider.renewals).hasValue(2);
        provider.failure = null;
        broker.nowMs.addAndGet(10_000);
        assertThat(status(cookie)).isEqualTo(200);
    }

    @Test
    @DisplayName("a refresh token that the provider refuses is not used again, and the session ends with the tokens")
    void refusedRefresh() throws Exception {
        provider.refreshes = true;
        String cookie = logIn("viewer");
        provider.failure = new LoginException(LoginException.Reason.INVALID, "invalid_grant");
        broker.nowMs.addAndGet(LIFE_MS - 20_000);
        assertThat(status(cookie)).isEqualTo(200);
        broker.nowMs.addAndGet(20_000);
        assertThat(status(cookie)).isEqualTo(401);
        assertThat(provider.renewals).hasValue(1);
    }

    @Test
    @DisplayName("requests wait for one renewal together, and a logout during a renewal counts")
    void together() throws Exception {
        provider.refreshes = true;
        String cookie = logIn("viewer");
        broker.nowMs.addAndGet(LIFE_MS);
        provider.held = new CompletableFuture<>();
        List<CompletableFuture<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return status(cookie);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }));
        }
        while (provider.renewals.get() == 0) {
            Thread.onSpinWait();
        }
        assertThat(own("DELETE", "/console/session", "", "Cookie", cookie).status())
                .isEqualTo(200);
        provider.held.complete(null);
        assertThat(waiting.stream().map(CompletableFuture::join)).containsOnly(401);
        assertThat(provider.renewals).hasValue(1);
        assertThat(status(cookie)).isEqualTo(401);
    }
}
