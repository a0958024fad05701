package dev.jitney.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP reference 1.4 (format) and 1.5 (validation). */
class SharedAccessSignatureTest {
    private static final String KEY = "SAS_KEY_VALUE";
    private static final String ROOT = AccessRule.ROOT_NAME;
    private static final long NOW_S = 1_795_000_000L;
    private static final long NOW_MS = NOW_S * 1000;
    private static final long LATER_S = NOW_S + 1200;
    private static final EntityAddress NAMESPACE = EntityAddress.parse("");

    @ParameterizedTest
    @DisplayName("HTTP 1.4: the vectors recorded from official SDKs are valid, in any field order")
    @CsvSource({
        "https%3A%2F%2Flocalhost,1795244503,OltQ3A3LJtbZX5NK%2FA4k9jTll%2FlHGUzqOR248GcCaLk%3D,",
        "https%3a%2f%2flocalhost%2f%24namespaceinfo%3fapi-version%3d2021-05,1795243857,"
                + "4WxHkEL%2FaUJE0HjYgK6AUzJJLQG86j3fXZ36WUPQ1B0%3D,$namespaceinfo",
        "https%3A%2F%2Flocalhost%2Fqueue-a%3Fapi-version%3D2017-04,1795245346,"
                + "Ujxs5aauH7GyaeJNoQHnWHDQGefK7jwaTtXOAbkZOSE%3D,queue-a",
        "localhost,1795247157,itpEPYMC1vuq0MbzeSEaQcwEyE058PLftrqlVlL8wQo%3D,",
    })
    void acceptsRecordedTokens(String sr, long se, String sig, String path) throws Exception {
        String audience = path == null ? "" : path;
        for (String token : List.of(
                "SharedAccessSignature sr=" + sr + "&sig=" + sig + "&se=" + se + "&skn=" + ROOT,
                "SharedAccessSignature sig=" + sig + "&se=" + se + "&skn=" + ROOT + "&sr=" + sr,
                "sharedaccesssignature  se=" + se + "&x=y&skn=" + ROOT + "&sr=" + sr + "&sig=" + sig)) {
            RuleGrant grant = check(token, EntityAddress.parse(audience));
            assertThat(grant.scopeKey()).isEqualTo(audience);
            assertThat(grant.expiresAtMs()).isEqualTo(se * 1000);
            assertThat(grant.rights()).containsExactlyInAnyOrder(AccessRight.values());
        }
    }

    @Test
    @DisplayName("HTTP 1.4: a signature made here equals the recorded one")
    void createsTheRecordedSignature() {
        assertThat(SharedAccessSignature.create("https://localhost", ROOT, KEY, 1795244503))
                .isEqualTo("SharedAccessSignature sr=https%3A%2F%2Flocalhost"
                        + "&sig=OltQ3A3LJtbZX5NK%2FA4k9jTll%2FlHGUzqOR248GcCaLk%3D&se=1795244503"
                        + "&skn=RootManageSharedAccessKey");
    }

    @ParameterizedTest
    @DisplayName("HTTP 1.5: every invalid token has its sub-code and error prefix")
    @CsvSource(
            delimiter = '|',
            value = {
                "|40102|MissingToken:",
                "'   '|40102|MissingToken:",
                "Bearer abc|40105|MalformedToken:",
                "SharedAccessSignature|40105|MalformedToken:",
                "SharedAccessSignature sig=AA%3D%3D&se=9999999999&skn=k|40107|MalformedToken:",
                "SharedAccessSignature sr=&sig=AA%3D%3D&se=9999999999&skn=k|40107|MalformedToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&skn=k|40108|MalformedToken:",
                "SharedAccessSignature sr=h&se=9999999999&skn=k|40110|MalformedToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=9999999999|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sr=h&sig=AA%3D%3D&se=9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h%2&sig=AA%3D%3D&se=9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h%zz&sig=AA%3D%3D&se=9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h%ff&sig=AA%3D%3D&se=9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h%2F%00&sig=AA%3D%3D&se=9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sig=%%%&se=9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sig=not-base64!&se=9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=tomorrow&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=-1&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=+9999999999&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=18446744073709551616&skn=k|40105|MalformedToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=1795000000&skn=k|40106|ExpiredToken:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=0&skn=k|40106|ExpiredToken:",
                "SharedAccessSignature sr=h%2Fother&sig=AA%3D%3D&se=9999999999&skn=k|40104|InvalidAudience:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=9999999999&skn=k|40103|InvalidSignature:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=9999999999&skn=RootManageSharedAccessKey|40103|InvalidSignature:",
                "SharedAccessSignature sr=h&sig=AA%3D%3D&se=18446744073709551615&skn=k|40103|InvalidSignature:",
            })
    void refusesWithTheReason(String token, int subCode, String words) {
        AuthenticationException e =
                catchThrowableOfType(AuthenticationException.class, () -> check(token, EntityAddress.parse("orders")));
        assertThat(e.subCode()).isEqualTo(subCode);
        assertThat(e.rejection().code()).isEqualTo(ErrorCode.AUTH_FAILED);
        assertThat(e.rejection().description()).startsWith(words).doesNotContain(KEY);
    }

    @ParameterizedTest
    @DisplayName("HTTP 1.5 step 4: scheme, user info, port, query, slashes and case of sr are ignored")
    @ValueSource(
            strings = {
                "sb://h/Orders",
                "amqp://h/orders/",
                "amqps://u:p@h:5671/orders",
                "https://h:5300/orders?api-version=2021-05",
                "http://h/ORDERS#top",
                "h/orders",
                "sb://h",
                "sb://h/",
                "h",
                "sb://h/orders/$DeadLetterQueue",
                "sb://h/orders/$management",
            })
    void coversTheEntity(String resource) throws Exception {
        RuleGrant grant = check(token(resource, ROOT, KEY), EntityAddress.parse("sb://other/orders"));
        assertThat(grant.permits(AccessRight.LISTEN, EntityAddress.parse("orders/$deadletterqueue"), NOW_MS))
                .isTrue();
    }

    @ParameterizedTest
    @DisplayName("HTTP 1.5 step 4: scopes match by whole segments, and no node path becomes the namespace")
    @ValueSource(
            strings = {
                "sb://h/ord",
                "sb://h/orders/sub",
                "sb://h/other",
                "sb://h/$management",
                "sb://h/$DeadLetterQueue",
                "sb://h//$management"
            })
    void doesNotCoverTheEntity(String resource) {
        assertThatThrownBy(() -> check(token(resource, ROOT, KEY), EntityAddress.parse("orders")))
                .isInstanceOf(AuthenticationException.class)
                .hasMessageStartingWith("InvalidAudience:");
    }

    @Test
    @DisplayName("HTTP 1.5 step 4: a token for one entity is not valid for the namespace")
    void entityTokenDoesNotCoverTheNamespace() {
        for (String resource : List.of("sb://h/orders", "sb://h\\orders", "h\\orders")) {
            assertThatThrownBy(() -> check(token(resource, ROOT, KEY), NAMESPACE))
                    .hasMessageStartingWith("InvalidAudience:");
        }
    }

    @Test
    @DisplayName("HTTP 1.5 step 4: scheme and host are removed once; similar text in the path is part of the path")
    void pathsWithASchemeNameOtherEntities() {
        for (String resource : List.of("sb://h/x://y/orders", "sb://h/:///orders", "://\\:///orders", ":\\\\://h")) {
            assertThatThrownBy(() -> check(token(resource, ROOT, KEY), EntityAddress.parse("orders")))
                    .as(resource)
                    .hasMessageStartingWith("InvalidAudience:");
        }
    }

    @Test
    @DisplayName("HTTP 1.5 step 5: both keys of a rule are valid, names without case, '+' for a blank")
    void triesBothKeys() throws Exception {
        AccessRule rule = new AccessRule("Send Only", EnumSet.of(AccessRight.SEND), "first", "second");
        for (String key : List.of("first", "second")) {
            for (String name : List.of("Send Only", "send only", "SEND+ONLY")) {
                String token = SharedAccessSignature.create("sb://h/orders", "x", key, LATER_S)
                        .replace("skn=x", "skn=" + name);
                RuleGrant grant = SharedAccessSignature.check(
                        token, EntityAddress.parse("orders"), path -> List.of(), List.of(rule), NOW_MS);
                assertThat(grant.rights()).containsExactly(AccessRight.SEND);
                assertThat(grant.ruleName()).isEqualTo("Send Only");
            }
        }
        assertThatThrownBy(() -> SharedAccessSignature.check(
                        token("sb://h/orders", "Send Only", "third"),
                        EntityAddress.parse("orders"),
                        path -> List.of(),
                        List.of(rule),
                        NOW_MS))
                .hasMessageStartingWith("InvalidSignature:");
    }

    @Test
    @DisplayName("HTTP 1.5 step 7: a rule of an entity covers that entity only, regardless of sr")
    void entityRuleCoversItsEntityOnly() throws Exception {
        for (String resource : List.of("sb://h", "sb://h/orders")) {
            RuleGrant grant = check(token(resource, "own", "own-key"), EntityAddress.parse("orders"));
            assertThat(grant.permits(AccessRight.SEND, EntityAddress.parse("Orders"), NOW_MS))
                    .isTrue();
            assertThat(grant.permits(AccessRight.SEND, EntityAddress.parse("orders/deep"), NOW_MS))
                    .isFalse();
            assertThat(grant.permits(AccessRight.SEND, EntityAddress.parse("other"), NOW_MS))
                    .isFalse();
            assertThat(grant.permits(AccessRight.SEND, NAMESPACE, NOW_MS)).isFalse();
            assertThat(grant.permits(AccessRight.LISTEN, EntityAddress.parse("orders"), NOW_MS))
                    .isFalse();
        }
        for (String other : List.of("", "other", "orders/deep")) {
            assertThatThrownBy(() -> check(token("sb://h", "own", "own-key"), EntityAddress.parse(other)))
                    .hasMessageStartingWith("InvalidSignature:");
        }
    }

    @Test
    @DisplayName("HTTP 1.5 step 5: a topic's rule covers its subscriptions")
    void topicRuleCoversSubscriptions() throws Exception {
        EntityAddress subscription = EntityAddress.parse("events/subscriptions/red");
        RuleGrant grant = check(token("sb://h/events", "listen", "topic-key"), subscription);
        assertThat(grant.permits(AccessRight.LISTEN, subscription, NOW_MS)).isTrue();
        assertThat(grant.permits(AccessRight.LISTEN, EntityAddress.parse("events/Subscriptions/blue"), NOW_MS))
                .isTrue();
        Grant narrow = check(token("sb://h/events/Subscriptions/red", "listen", "topic-key"), subscription);
        assertThat(narrow.permits(AccessRight.LISTEN, EntityAddress.parse("events/Subscriptions/blue"), NOW_MS))
                .isFalse();
    }

    @Test
    @DisplayName("HTTP 1.5 step 3: a grant ends with its token")
    void grantEndsAtTheExpiry() throws Exception {
        EntityAddress orders = EntityAddress.parse("orders");
        RuleGrant grant = check(token("sb://h/orders", ROOT, KEY), orders);
        assertThat(grant.permits(AccessRight.SEND, orders, LATER_S * 1000 - 1)).isTrue();
        assertThat(grant.permits(AccessRight.SEND, orders, LATER_S * 1000)).isFalse();
    }

    @Test
    @DisplayName("Hostile tokens end in an authentication failure, never in another error")
    void hostileInput() throws Exception {
        String good = token("sb://h/orders", ROOT, KEY);
        assertThatThrownBy(() -> check(good + "&pad=" + "x".repeat(1 << 20), NAMESPACE))
                .hasMessageStartingWith("MalformedToken:");
        assertThatThrownBy(() -> check(good + "\0", NAMESPACE)).hasMessageStartingWith("MalformedToken:");
        long seed = 20_261_121;
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder bad = new StringBuilder(good);
            for (int change = random.nextInt(4); change >= 0; change--) {
                bad.setCharAt(random.nextInt(bad.length()), (char) random.nextInt(random.nextBoolean() ? 128 : 65_536));
            }
            try {
                // A change of letter case in a name is still valid; every other change must be refused.
                check(bad.toString(), EntityAddress.parse("orders"));
            } catch (AuthenticationException expected) {
                assertThat(expected.rejection().description()).isNotEmpty();
            }
        }
    }

    private static String token(String resource, String rule, String key) {
        return SharedAccessSignature.create(resource, rule, key, LATER_S);
    }

    private static RuleGrant check(String token, EntityAddress audience) throws AuthenticationException {
        Map<String, List<AccessRule>> entities = Map.of(
                "orders", List.of(new AccessRule("own", Set.of(AccessRight.SEND), "own-key", null)),
                "events", List.of(new AccessRule("listen", Set.of(AccessRight.LISTEN), "topic-key", null)));
        return SharedAccessSignature.check(
                token,
                audience,
                path -> entities.getOrDefault(EntityAddress.keyOf(path), List.of()),
                List.of(AccessRule.root(KEY)),
                NOW_MS);
    }
}
