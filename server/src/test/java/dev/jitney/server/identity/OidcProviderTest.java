package dev.jitney.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityGrant;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class OidcProviderTest {
    private static final long NOW_MS = 1_795_244_503_000L;
    private static final String OWNER = "Azure Service Bus Data Owner";
    private static final EntityAddress ORDERS = EntityAddress.ofPath("orders");

    private final TestIssuer issuer = new TestIssuer("https://login.example.com/realms/main");
    private final Keys source = new Keys();
    private long clockMs;
    private OidcProvider provider;
    private KeyCache cache;

    /** The document of the issuer. A test may hold the answers back, or make them fail. */
    private final class Keys implements KeySource {
        private final Deque<CompletableFuture<String>> held = new ArrayDeque<>();
        private boolean holds;
        private boolean fails;
        private int reads;

        @Override
        public CompletableFuture<String> read() {
            reads++;
            if (fails) {
                return CompletableFuture.failedFuture(new KeysUnreadableException("no route to host"));
            }
            CompletableFuture<String> answer = new CompletableFuture<>();
            if (holds) {
                held.add(answer);
            } else {
                answer.complete(issuer.keys());
            }
            return answer;
        }

        @Override
        public long refreshMs() {
            return 300_000;
        }
    }

    /** Runs tasks at once. */
    private static final class SameThread extends ScheduledThreadPoolExecutor {
        SameThread() {
            super(0);
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }

    @BeforeEach
    void open() {
        open(settings(List.of("shop-team=Send,Listen@shop", "audit=Listen@shop/orders/subscriptions/audit")));
        cache.tick();
    }

    @AfterEach
    void close() {
        provider.close();
    }

    private void open(OidcSettings settings) {
        SameThread executor = new SameThread();
        cache = new KeyCache(source, executor, () -> clockMs);
        provider = new OidcProvider(settings, cache, executor);
    }

    private OidcSettings settings(List<String> roles) {
        return new OidcSettings(
                issuer.issuer(),
                List.of(TestIssuer.AUDIENCE),
                null,
                null,
                null,
                30_000,
                OidcSettings.NAME_CLAIM,
                OidcSettings.ROLE_CLAIMS,
                RoleMap.of(roles));
    }

    private JWTClaimsSet.Builder claims(String... roles) {
        return issuer.claims("f3c1", NOW_MS, roles);
    }

    private Identity accepted(String token) {
        return accepted(token, NOW_MS);
    }

    private Identity accepted(String token, long nowMs) {
        return provider.verify(token, nowMs).toCompletableFuture().join();
    }

    private String refused(String token) {
        return refused(token, NOW_MS);
    }

    private String refused(String token, long nowMs) {
        return String.valueOf(
                refusal(provider.verify(token, nowMs).toCompletableFuture()).getMessage());
    }

    private static AuthenticationException refusal(CompletableFuture<Identity> verified) {
        try {
            throw new AssertionError("Expected a refusal, but got " + verified.join() + ".");
        } catch (CompletionException failed) {
            return (AuthenticationException) failed.getCause();
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    // --- what is accepted ---

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256"})
    void acceptsTheAsymmetricAlgorithms(String algorithm) {
        String keyId = algorithm.startsWith("ES") ? "ec-1" : "rsa-1";

        Identity identity = accepted(issuer.token(claims(OWNER), keyId, JWSAlgorithm.parse(algorithm)));

        assertThat(identity.subject()).isEqualTo("f3c1");
        assertThat(identity.expiresAtMs()).isEqualTo(NOW_MS + 3_600_000 + 30_000);
    }

    @Test
    void givesTheRolesOfAzureTheirRightsOnTheWholeServer() {
        assertThat(rights("any", ORDERS, OWNER)).isEqualTo(Set.of(AccessRight.values()));
        assertThat(rights("any", ORDERS, "Azure Service Bus Data Sender")).isEqualTo(Set.of(AccessRight.SEND));
        assertThat(rights("any", ORDERS, "Azure Service Bus Data Receiver")).isEqualTo(Set.of(AccessRight.LISTEN));
        assertThat(rights("any", ORDERS, "azure service bus data owner", "unknown"))
                .isEmpty();
    }

    @Test
    void limitsOwnRolesToANamespaceOrAnEntity() {
        EntityAddress whole = EntityAddress.ofPath("");
        EntityAddress audit = EntityAddress.ofPath("orders/Subscriptions/audit");
        Set<AccessRight> both = Set.of(AccessRight.SEND, AccessRight.LISTEN);

        assertThat(rights("shop", whole, "shop-team")).isEqualTo(both);
        assertThat(rights("SHOP", ORDERS, "shop-team")).isEqualTo(both);
        assertThat(rights("other", ORDERS, "shop-team")).isEmpty();
        assertThat(rights("shop", audit, "audit")).isEqualTo(Set.of(AccessRight.LISTEN));
        assertThat(rights("shop", ORDERS, "audit")).isEmpty();
        assertThat(rights("shop", whole, "audit")).isEmpty();
        assertThat(rights("other", audit, "audit")).isEmpty();
    }

    private Set<AccessRight> rights(String namespace, EntityAddress entity, String... roles) {
        IdentityGrant grant = new IdentityGrant(accepted(issuer.token(claims(roles))), namespace, provider);
        return Set.of(AccessRight.values()).stream()
                .filter(right -> grant.permits(right, entity, NOW_MS))
                .collect(java.util.stream.Collectors.toSet());
    }

    @Test
    void findsRolesInTheClaimsOfKeycloak() {
        String token = issuer.token(claims().claim("roles", null)
                .claim("groups", List.of("/visitors"))
                .claim("realm_access", Map.of("roles", List.of("shop-team", 7))));

        assertThat(accepted(token).roles()).containsExactly("shop-team");
    }

    @Test
    void showsNameAndSubjectWithoutControlCharacters() {
        String token = issuer.token(claims().claim("preferred_username", "eve\n\u202eRootManageSharedAccessKey"));

        assertThat(accepted(token).holder()).isEqualTo("oidc:eve??RootManageSharedAccessKey (f3c1)");
    }

    @Test
    void acceptsAnAudienceAmongSeveral() {
        assertThat(accepted(issuer.token(claims().audience(List.of("account", TestIssuer.AUDIENCE)))))
                .isNotNull();
    }

    // --- claims that are refused ---

    @Test
    void refusesTokensForOthersAndOfOthers() {
        assertThat(refused(issuer.token(claims().audience("api://payroll"))))
                .startsWith("InvalidAudience")
                .contains("'api://payroll'");
        assertThat(refused(issuer.token(claims().audience((String) null)))).startsWith("InvalidAudience");
        assertThat(refused(issuer.token(claims().issuer("https://evil.example.com"))))
                .startsWith("InvalidSignature")
                .contains("https://evil.example.com");
        assertThat(refused(issuer.token(claims().issuer(issuer.issuer() + "/"))))
                .contains("issuer");
        assertThat(refused(issuer.token(claims().subject(null)))).contains("'sub'");
        assertThat(refused(issuer.token(claims().subject("s".repeat(257))))).contains("at most 256");
    }

    @Test
    void permitsTheClockSkewAndNothingMore() {
        String token = issuer.token(claims().notBeforeTime(new Date(NOW_MS)));
        long endMs = NOW_MS + 3_600_000 + 30_000;

        assertThat(accepted(token, NOW_MS - 30_000)).isNotNull();
        assertThat(accepted(token, endMs - 1)).isNotNull();
        assertThat(refused(token, NOW_MS - 31_000)).contains("not valid yet");
        assertThat(refused(token, endMs)).startsWith("ExpiredToken");
    }

    @Test
    void requiresATimeOfExpiry() {
        assertThat(refused(issuer.token(claims().expirationTime(null)))).contains("'exp'");
        for (String value : List.of("\"soon\"", "-1", "[]", "{}", "true")) {
            assertThat(refused(signed("{\"iss\":\"" + issuer.issuer() + "\",\"aud\":\"" + TestIssuer.AUDIENCE
                            + "\",\"sub\":\"a\",\"exp\":" + value + "}")))
                    .contains("'exp'");
        }
        Identity forever = accepted(signed("{\"iss\":\"" + issuer.issuer() + "\",\"aud\":\"" + TestIssuer.AUDIENCE
                + "\",\"sub\":\"a\",\"exp\":1e300}"));
        assertThat(forever.expiresAtMs()).isEqualTo(253_402_300_799_000L + 30_000);
    }

    /** Returns a token with any payload, which the key of the issuer signs. */
    private static String signed(String payload) {
        try {
            JWSObject token = new JWSObject(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec-1").build(), new Payload(payload));
            token.sign(new com.nimbusds.jose.crypto.ECDSASigner(
                    TestIssuer.key("ec-1").toECKey()));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    // --- forged tokens ---

    @Test
    @DisplayName("refuses the algorithm none, also in other spellings")
    void refusesTheAlgorithmNone() {
        assertThat(refused(new PlainJWT(claims(OWNER).build()).serialize())).contains("but got 'none'");
        for (String none : List.of("None", "NONE", "")) {
            String header = base64("{\"alg\":\"" + none + "\",\"kid\":\"rsa-1\"}");
            assertThat(refused(header + "." + base64(claims(OWNER).build().toString()) + "."))
                    .startsWith("MalformedToken");
        }
    }

    @Test
    @DisplayName("refuses HS256 with the public key as the secret")
    void refusesThePublicKeyAsASecret() throws Exception {
        byte[] publicKey = TestIssuer.key("rsa-1").toRSAKey().toRSAPublicKey().getEncoded();
        JWSObject forged = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(),
                new Payload(claims(OWNER).build().toString()));
        forged.sign(new MACSigner(publicKey));

        assertThat(refused(forged.serialize())).contains("but got 'HS256'");
    }

    @Test
    void refusesAKeyOfAnotherKind() {
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("rsa-1").build();

        assertThat(refused(issuer.token(claims(OWNER), header, TestIssuer.key("ec-1"))))
                .contains("invalid signature");
    }

    @Test
    void refusesAKeyThatTheTokenBrings() {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID("rsa-1")
                .jwk(TestIssuer.key("rsa-2").toPublicJWK())
                .jwkURL(java.net.URI.create("https://evil.example.com/keys"))
                .build();

        assertThat(refused(issuer.token(claims(OWNER), header, TestIssuer.key("rsa-2"))))
                .contains("invalid signature");
    }

    @Test
    void refusesChangedClaimsAndAChangedSignature() {
        String[] parts = issuer.token(claims("shop-team")).split("\\.");
        String others = issuer.token(claims(OWNER)).split("\\.")[1];

        assertThat(refused(parts[0] + "." + others + "." + parts[2])).contains("invalid signature");
        assertThat(refused(parts[0] + "." + parts[1] + ".")).contains("invalid signature");
        assertThat(refused(parts[0] + "." + parts[1] + "." + parts[2].substring(4)))
                .contains("invalid signature");
    }

    @Test
    void refusesHeadersThatItDoesNotKnow() {
        JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256);

        assertThat(refused(issuer.token(claims(), header.build(), TestIssuer.key("rsa-1"))))
                .contains("'kid'");
        header.keyID("rsa-1").type(new JOSEObjectType("logout+jwt"));
        assertThat(refused(issuer.token(claims(), header.build(), TestIssuer.key("rsa-1"))))
                .contains("'logout+jwt'");
        header.type(new JOSEObjectType("AT+JWT"));
        assertThat(accepted(issuer.token(claims(), header.build(), TestIssuer.key("rsa-1"))))
                .isNotNull();
        String critical = base64("{\"alg\":\"RS256\",\"kid\":\"rsa-1\",\"crit\":[\"exp\"]}");
        assertThat(refused(critical + "." + base64("{}") + ".x")).contains("'crit'");
    }

    // --- hostile texts ---

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "a.b", "a.b.c", "a.b.c.d", "ey.ey.ey", "SharedAccessSignature sr=x", "a b.c.d"})
    void refusesOtherTexts(String text) {
        assertThat(refused(text)).startsWith("MalformedToken");
    }

    @Test
    void refusesHugeAndDeepTokens() {
        assertThat(refused(issuer.token(claims().claim("pad", "x".repeat(16_384)))))
                .contains("at most 16384");
        String header = base64("{\"alg\":\"RS256\",\"kid\":\"rsa-1\"}");
        for (String deep : List.of("[", "{\"a\":", "{\"a\":[")) {
            assertThat(refused(header + "." + base64("{\"iss\":" + deep.repeat(1_500)) + ".x"))
                    .contains("16 levels");
            assertThat(refused(base64("{\"alg\":" + deep.repeat(1_500)) + ".e30.x"))
                    .contains("16 levels");
        }
    }

    // --- keys ---

    @Test
    void readsTheKeysAgainForAnUnknownKey() {
        String token = issuer.token(claims(OWNER), "rsa-2", JWSAlgorithm.RS256);
        clockMs += KeyCache.AGAIN_MS;
        assertThat(refused(token)).contains("key 'rsa-2' is unknown");
        assertThat(source.reads).isEqualTo(2);

        issuer.publish("rsa-2");
        assertThat(refused(token)).contains("unknown"); // too early for another read
        assertThat(source.reads).isEqualTo(2);

        clockMs += KeyCache.AGAIN_MS;
        assertThat(accepted(token)).isNotNull();
        assertThat(source.reads).isEqualTo(3);
    }

    @Test
    void answersLaterWhileTheKeysAreRead() {
        issuer.publish("rsa-2");
        source.holds = true;
        clockMs += KeyCache.AGAIN_MS;
        String token = issuer.token(claims(OWNER), "rsa-2", JWSAlgorithm.RS256);
        CompletableFuture<Identity> first = provider.verify(token, NOW_MS).toCompletableFuture();
        CompletableFuture<Identity> second = provider.verify(token, NOW_MS).toCompletableFuture();
        assertThat(first).isNotDone();
        assertThat(accepted(issuer.token(claims()))).isNotNull(); // known keys do not wait

        source.held.remove().complete(issuer.keys());

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(source.reads).isEqualTo(2);
    }

    @Test
    void limitsTheTokensThatWait() {
        source.holds = true;
        clockMs += KeyCache.AGAIN_MS;
        String token = issuer.token(claims(), "rsa-2", JWSAlgorithm.RS256);
        for (int i = 0; i < KeyCache.WAITING_MAX; i++) {
            assertThat(provider.verify(token, NOW_MS).toCompletableFuture()).isNotDone();
        }

        assertThat(provider.verify(token, NOW_MS).toCompletableFuture()).isCompletedExceptionally();
        source.held.remove().complete(issuer.keys());
        clockMs += KeyCache.AGAIN_MS;
        assertThat(provider.verify(token, NOW_MS).toCompletableFuture()).isNotDone();
    }

    @Test
    void neverReadsKeysForATokenOfSomebodyElse() {
        clockMs += KeyCache.AGAIN_MS;

        refused(issuer.token(claims().issuer("https://evil.example.com"), "rsa-2", JWSAlgorithm.RS256));

        assertThat(source.reads).isEqualTo(1);
    }

    @Test
    void endsTheTrustInAWithdrawnKey() {
        String token = issuer.token(claims(OWNER));
        Identity identity = accepted(token);
        long before = provider.version();
        assertThat(provider.trusts(identity)).isTrue();

        issuer.publish("rsa-2");
        issuer.withdraw("rsa-1");
        clockMs += source.refreshMs();
        cache.tick();

        assertThat(provider.trusts(identity)).isFalse();
        assertThat(provider.version()).isGreaterThan(before);
        assertThat(refused(token)).contains("unknown");
    }

    @Test
    void keepsTheKeysForADayWhileTheProviderIsAway() {
        String token = issuer.token(claims(OWNER));
        source.fails = true;
        for (long ms = 0; ms < KeyCache.AGE_MAX_MS; ms += 3_600_000) {
            clockMs = ms;
            cache.tick();
            assertThat(accepted(token)).isNotNull();
        }
        CompletableFuture<Identity> other = provider.verify(
                        issuer.token(claims(OWNER), "rsa-2", JWSAlgorithm.RS256), NOW_MS)
                .toCompletableFuture();
        assertThat(refusal(other).isTemporary()).isTrue();

        clockMs = KeyCache.AGE_MAX_MS + 1;
        cache.tick();

        assertThat(refusal(provider.verify(token, NOW_MS).toCompletableFuture()).isTemporary())
                .isTrue();
        source.fails = false;
        clockMs += KeyCache.AGAIN_MS;
        cache.tick();
        assertThat(accepted(token)).isNotNull();
    }

    @Test
    void keepsTheKeysIfTheNewDocumentIsUnusable() {
        source.holds = true;
        String token = issuer.token(claims(OWNER));
        for (String document : List.of(
                "",
                "[]",
                "{}",
                "{\"keys\":7}",
                "{\"keys\":[]}",
                "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"a\",\"k\":\"c2VjcmV0\"}]}",
                "{\"keys\":" + "[".repeat(100_000))) {
            clockMs += source.refreshMs();
            cache.tick();
            source.held.remove().complete(document);
            assertThat(cache.failure()).isNotNull();
            assertThat(accepted(token)).isNotNull();
        }
    }

    @Test
    void ignoresWeakKeysAndKeysWithoutAnId() {
        issuer.publish("rsa-weak");
        clockMs += source.refreshMs();
        cache.tick();

        assertThat(refused(issuer.token(claims(OWNER), "rsa-weak", JWSAlgorithm.RS256)))
                .contains("unknown");
        assertThat(cache.keys().count()).isEqualTo(2);
    }
}
