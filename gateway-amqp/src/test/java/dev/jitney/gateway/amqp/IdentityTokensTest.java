package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.ClientLimits;
import dev.jitney.runtime.client.CredentialCounts;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.Permission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of an identity provider over AMQP: their namespace, their rights and their end. */
@Timeout(60)
class IdentityTokensTest {
    private static final int ATTACH = 0x12;
    private static final int TRANSFER = 0x14;
    private static final int DETACH = 0x16;
    private static final int CLOSE = 0x18;
    private static final long OK = 0L;
    private static final long AUTH = 1L;
    private static final long TEMP = 4L;

    private final InMemoryBroker broker = new InMemoryBroker();
    private final Tokens tokens = new Tokens();
    private AmqpGateway gateway;

    /** A provider whose tokens are names that a test has chosen. */
    private static final class Tokens implements IdentityProvider {
        private final Map<String, CompletableFuture<Identity>> known = new ConcurrentHashMap<>();
        private final AtomicLong version = new AtomicLong();
        private volatile String withdrawn = "";

        void give(String token, long expiresAtMs, Permission... permissions) {
            known.put(
                    token,
                    CompletableFuture.completedFuture(new Identity(
                            token, "Alice", List.of("role"), List.of(permissions), expiresAtMs, "key-of-" + token)));
        }

        void withdrawKeyOf(String token) {
            withdrawn = "key-of-" + token;
            version.incrementAndGet();
        }

        @Override
        public boolean isConfigured() {
            return true;
        }

        @Override
        public CompletionStage<Identity> verify(String token, long nowMs) {
            return known.getOrDefault(
                    token,
                    CompletableFuture.failedFuture(AuthenticationException.of(
                            AuthenticationException.Reason.INVALID_SIGNATURE, "The token has an invalid signature.")));
        }

        @Override
        public long version() {
            return version.get();
        }

        @Override
        public boolean trusts(Identity identity) {
            return !identity.keyId().equals(withdrawn);
        }

        @Override
        public List<Permission> permissionsOf(Collection<String> roles) {
            return List.of();
        }
    }

    private static Permission on(String namespace, String path, AccessRight... rights) {
        return new Permission(Set.of(rights), namespace, EntityAddress.keyOf(path));
    }

    @BeforeEach
    void start() {
        for (String queue : List.of("q", "other")) {
            broker.first.add(QueueDescription.named(queue).build(), 1 << 20);
            broker.second.add(QueueDescription.named(queue).build(), 1 << 20);
        }
        broker.second.add(QueueDescription.named("only-second").build(), 1 << 20);
        gateway = new AmqpGateway(
                broker,
                AmqpGatewayOptions.plain("127.0.0.1", 0)
                        .withEventLoops(1)
                        .withAdmission(ClientAdmission.open().withIdentities(tokens)));
        gateway.start();
        tokens.give("owner", Long.MAX_VALUE, on(null, "", AccessRight.values()));
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** Returns a connection without rights that has links to {@code $cbs}, with the handles 100 and 101. */
    private RawPeer anonymous(String host) throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).anonymous();
        peer.frame();
        peer.open(host);
        peer.begin(0);
        peer.send(0, RawPeer.sender("cbs-s", 100, "$cbs"));
        peer.send(0, RawPeer.receiver("cbs-r", 101, "$cbs").setTarget(new Target().setAddress("reply")));
        peer.next(ATTACH);
        peer.next(ATTACH);
        peer.flow(0, 101, 0, 100, false, false);
        return peer;
    }

    private static void send(RawPeer peer, int delivery, String audience, String token) throws IOException {
        peer.message(0, 100, delivery, RawPeer.putToken("id", "reply", "jwt", audience, token));
    }

    private static Map<?, ?> answer(RawPeer peer) throws IOException {
        return (Map<?, ?>)
                RawPeer.sections(peer.next(TRANSFER).payload()).get(2).value();
    }

    private static long put(RawPeer peer, int delivery, String audience, String token) throws IOException {
        send(peer, delivery, audience, token);
        return (long) answer(peer).get("status-code");
    }

    private static boolean attaches(RawPeer peer, int handle, String queue) throws IOException {
        peer.send(0, RawPeer.sender("link-" + handle, handle, queue));
        boolean refused = peer.next(ATTACH).field(6) == null;
        if (refused) {
            peer.next(DETACH);
        }
        return !refused;
    }

    private static String condition(Frame frame, int field) {
        return ((Described) frame.field(field)).fields().toString();
    }

    // --- put-token ---

    @Test
    void givesTheRightsOfTheRolesAndNoOthers() throws Exception {
        tokens.give("sender", Long.MAX_VALUE, on("first", "q", AccessRight.SEND));
        try (RawPeer peer = anonymous("first")) {
            assertThat(put(peer, 0, "sb://first/q", "sender")).isEqualTo(202L);
            assertThat(attaches(peer, 1, "q")).isTrue();
            assertThat(attaches(peer, 2, "other")).isFalse();
            peer.send(0, RawPeer.receiver("r", 3, "q"));
            assertThat(condition(peer.next(DETACH), 2)).contains("amqp:unauthorized-access");
        }
    }

    @Test
    @DisplayName("The type of a token may also be amqp:jwt (wire 2.2)")
    void acceptsTheOtherNameOfTheType() throws Exception {
        tokens.give("sender", Long.MAX_VALUE, on("first", "q", AccessRight.SEND));
        try (RawPeer peer = anonymous("first")) {
            peer.message(0, 100, 0, RawPeer.putToken("id", "reply", "amqp:jwt", "sb://first/q", "sender"));
            assertThat(answer(peer).get("status-code")).isEqualTo(202L);
            assertThat(attaches(peer, 1, "q")).isTrue();
        }
    }

    @Test
    void refusesATokenWithoutRightsOnTheAudienceAndDoesNotTellWhatExists() throws Exception {
        tokens.give("sender", Long.MAX_VALUE, on("first", "q", AccessRight.SEND));
        tokens.give("nothing", Long.MAX_VALUE);
        try (RawPeer peer = anonymous("first")) {
            assertThat(put(peer, 0, "sb://first/other", "sender")).isEqualTo(401L);
            assertThat(put(peer, 1, "sb://first/missing", "sender")).isEqualTo(401L);
            assertThat(put(peer, 2, "sb://first/", "nothing")).isEqualTo(401L);
            assertThat(put(peer, 3, "sb://first/q", "forged")).isEqualTo(401L);
            assertThat(put(peer, 4, "sb://first/missing", "owner")).isEqualTo(404L);
            assertThat(attaches(peer, 1, "q")).isFalse();
        }
    }

    @Test
    @DisplayName(
            "The namespace is that of the host, otherwise that of the audience, otherwise the only one of the roles")
    void choosesTheNamespace() throws Exception {
        tokens.give("of-second", Long.MAX_VALUE, on("second", "", AccessRight.SEND));
        try (RawPeer peer = anonymous("first.example")) {
            assertThat(put(peer, 0, "sb://second/q", "of-second")).isEqualTo(401L);
        }
        try (RawPeer peer = anonymous("localhost")) {
            assertThat(put(peer, 0, "sb://second.example:5671/only-second", "owner"))
                    .isEqualTo(202L);
            assertThat(attaches(peer, 1, "only-second")).isTrue();
        }
        try (RawPeer peer = anonymous("localhost")) {
            assertThat(put(peer, 0, "sb://localhost/only-second", "of-second")).isEqualTo(202L);
            assertThat(attaches(peer, 1, "only-second")).isTrue();
        }
        try (RawPeer peer = anonymous("localhost")) {
            assertThat(put(peer, 0, "sb://localhost/q", "owner")).isEqualTo(202L);
            assertThat(attaches(peer, 1, "only-second")).isFalse();
        }
    }

    @Test
    void answersOtherRequestsWhileATokenWaitsForItsKey() throws Exception {
        CompletableFuture<Identity> later = new CompletableFuture<>();
        tokens.known.put("later", later);
        try (RawPeer peer = anonymous("first")) {
            send(peer, 0, "sb://first/q", "later");
            assertThat(put(peer, 1, "sb://first/q", "forged")).isEqualTo(401L);

            later.completeExceptionally(AuthenticationException.of(
                    AuthenticationException.Reason.UNAVAILABLE, "The keys cannot be read now."));

            Map<?, ?> answer = answer(peer);
            assertThat(answer.get("status-code")).isEqualTo(503L);
            assertThat(answer.get("error-condition").toString()).contains("com.microsoft:server-busy");
        }
    }

    @Test
    void aTokenWhoseKeyArrivesAfterTheEndOfTheConnectionDoesNothing() throws Exception {
        CompletableFuture<Identity> later = new CompletableFuture<>();
        tokens.known.put("later", later);
        try (RawPeer peer = anonymous("first")) {
            send(peer, 0, "sb://first/q", "later");
            assertThat(put(peer, 1, "sb://first/q", "owner")).isEqualTo(202L);
        }
        later.complete(tokens.known.get("owner").join());
        try (RawPeer peer = anonymous("first")) {
            assertThat(put(peer, 0, "sb://first/q", "owner")).isEqualTo(202L);
        }
    }

    @Test
    void refusesTheTypeWithoutAProvider() throws Exception {
        gateway.close();
        gateway =
                new AmqpGateway(broker, AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1));
        gateway.start();
        try (RawPeer peer = anonymous("first")) {
            send(peer, 0, "sb://first/q", "owner");
            Map<?, ?> answer = answer(peer);
            assertThat(answer.get("status-code")).isEqualTo(501L);
            assertThat(answer.get("status-description").toString()).contains("--oidc-issuer");
        }
    }

    // --- the end of a token ---

    @Test
    void detachesLinksWhenTheTokenExpiresUnlessItWasRenewed() throws Exception {
        long now = broker.nowMs.get();
        tokens.give("short", now + 60_000, on(null, "", AccessRight.SEND));
        tokens.give("renewed", now + 3_600_000, on(null, "", AccessRight.SEND));
        try (RawPeer one = anonymous("first");
                RawPeer other = anonymous("first")) {
            assertThat(put(one, 0, "sb://first/q", "short")).isEqualTo(202L);
            assertThat(put(other, 0, "sb://first/q", "short")).isEqualTo(202L);
            assertThat(attaches(one, 1, "q")).isTrue();
            assertThat(attaches(other, 1, "q")).isTrue();
            assertThat(put(other, 1, "sb://first/q", "renewed")).isEqualTo(202L);

            broker.nowMs.addAndGet(60_000);

            assertThat(condition(one.next(DETACH), 2))
                    .contains("amqp:link:detach-forced")
                    .contains("the token has expired");
            assertThat(put(one, 1, "sb://first/q", "renewed")).isEqualTo(202L);
            assertThat(attaches(one, 2, "q")).isTrue();
            assertThat(attaches(other, 2, "q")).isTrue(); // the next frame is no detach
        }
    }

    @Test
    void detachesLinksWhenTheProviderWithdrawsTheKey() throws Exception {
        try (RawPeer peer = anonymous("first")) {
            tokens.give("leaked", Long.MAX_VALUE, on(null, "", AccessRight.SEND));
            assertThat(put(peer, 0, "sb://first/q", "leaked")).isEqualTo(202L);
            assertThat(attaches(peer, 1, "q")).isTrue();

            tokens.withdrawKeyOf("leaked");

            assertThat(condition(peer.next(DETACH), 2)).contains("amqp:link:detach-forced");
        }
    }

    // --- SASL ---

    private RawPeer sasl(String mechanism, String response) throws IOException {
        return new RawPeer(gateway.plainPort()).sasl(mechanism, response.getBytes(StandardCharsets.UTF_8));
    }

    private static String response(String mechanism, String token) {
        return mechanism.equals("XOAUTH2")
                ? "user=alice\1auth=Bearer " + token + "\1\1"
                : "n,a=alice,\1host=first\1port=5671\1auth=Bearer " + token + "\1\1";
    }

    @ParameterizedTest
    @ValueSource(strings = {"XOAUTH2", "OAUTHBEARER"})
    void takesTheTokenForTheWholeConnection(String mechanism) throws Exception {
        tokens.give("of-second", Long.MAX_VALUE, on("second", "", AccessRight.SEND));
        try (RawPeer peer = sasl(mechanism, response(mechanism, "of-second"))) {
            assertThat(peer.frame().field(0)).isEqualTo(OK);
            peer.open("localhost");
            peer.begin(0);
            assertThat(attaches(peer, 1, "only-second")).isTrue();
        }
    }

    @Test
    void closesTheConnectionWhenTheTokenOfItsDialogueExpires() throws Exception {
        tokens.give("short", broker.nowMs.get() + 60_000, on(null, "", AccessRight.SEND));
        try (RawPeer peer = sasl("OAUTHBEARER", response("OAUTHBEARER", "short"))) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            assertThat(attaches(peer, 1, "q")).isTrue();

            broker.nowMs.addAndGet(60_000);

            List<Frame> frames = new ArrayList<>();
            assertThat(peer.closedAfter(frames)).isTrue();
            Frame close = frames.get(frames.size() - 1);
            assertThat(close.code()).isEqualTo(CLOSE);
            assertThat(condition(close, 0)).contains("amqp:connection:forced").contains("Connect again");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\1",
                "n,,\1auth=Bearer forged\1\1",
                "n,,\1auth=Basic owner\1\1",
                "n,,\1auth=Bearer owner\1auth=Bearer owner\1\1",
                "n,,\1auth=\1\1",
                "owner",
                "n,,\1auth=Bearer nothing\1\1"
            })
    void refusesOtherResponses(String response) throws Exception {
        tokens.give("nothing", Long.MAX_VALUE);
        for (String mechanism : List.of("OAUTHBEARER", "XOAUTH2")) {
            try (RawPeer peer = sasl(mechanism, response)) {
                assertThat(peer.frame().field(0)).isEqualTo(AUTH);
                assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
            }
        }
    }

    @Test
    void acceptsLongTokensAndRefusesHugeResponses() throws Exception {
        String token = "t".repeat(IdentityProvider.TOKEN_CHARACTERS_MAX);
        tokens.give(token, Long.MAX_VALUE, on(null, "", AccessRight.SEND));
        try (RawPeer peer = sasl("XOAUTH2", response("XOAUTH2", token))) {
            assertThat(peer.frame().field(0)).isEqualTo(OK);
        }
        String huge = "user=" + "u".repeat(4_000) + "\1auth=Bearer " + token + "\1\1";
        try (RawPeer peer = sasl("XOAUTH2", huge)) {
            assertThat(peer.frame().field(0)).isEqualTo(AUTH);
        }
        try (RawPeer peer = sasl("XOAUTH2", huge + "x".repeat(20_000))) {
            assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
        }
    }

    @Test
    @DisplayName("A long SASL frame that is no init, or that arrives in pieces, is handled like a short one")
    void longFrames() throws Exception {
        try (RawPeer peer = new RawPeer(gateway.plainPort())) {
            peer.raw(new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0});
            peer.header();
            peer.frame();
            byte[] frame = new byte[1_000];
            java.nio.ByteBuffer.wrap(frame).putInt(frame.length).putInt(0x02010000);
            for (byte one : frame) {
                peer.raw(new byte[] {one});
            }
            assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
        }
    }

    @Test
    void sendsTheOutcomeWhenTheKeyHasArrived() throws Exception {
        CompletableFuture<Identity> later = new CompletableFuture<>();
        tokens.known.put("later", later);
        try (RawPeer peer = sasl("XOAUTH2", response("XOAUTH2", "later"))) {
            later.complete(tokens.known.get("owner").join());
            assertThat(peer.frame().field(0)).isEqualTo(OK);
            peer.open("first");
            peer.begin(0);
            assertThat(attaches(peer, 1, "q")).isTrue();
        }
        CompletableFuture<Identity> never = new CompletableFuture<>();
        tokens.known.put("later", never);
        try (RawPeer peer = sasl("XOAUTH2", response("XOAUTH2", "later"))) {
            never.completeExceptionally(AuthenticationException.of(
                    AuthenticationException.Reason.UNAVAILABLE, "The keys cannot be read now."));
            assertThat(peer.frame().field(0)).isEqualTo(TEMP);
            assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
        }
    }

    @Test
    @DisplayName("After some refused tokens of an address no token is checked for a second, over $cbs and SASL")
    void pausesAnAddress() throws Exception {
        gateway.close();
        AtomicLong nowMs = new AtomicLong(1_000_000);
        AddressLimits addresses = new AddressLimits(new ClientLimits(0, 0, 3, 0), nowMs::get);
        gateway = new AmqpGateway(
                broker,
                AmqpGatewayOptions.plain("127.0.0.1", 0)
                        .withEventLoops(1)
                        .withAdmission(new ClientAdmission(
                                addresses, new CredentialCounts(0), new CertificateRules(), tokens)));
        gateway.start();
        try (RawPeer peer = anonymous("first")) {
            assertThat(put(peer, 0, "sb://first/q", "forged")).isEqualTo(401L);
            assertThat(put(peer, 1, "sb://first/q", "forged too")).isEqualTo(401L);
            try (RawPeer sasl = sasl("OAUTHBEARER", response("OAUTHBEARER", "forged"))) {
                assertThat(sasl.frame().field(0)).isEqualTo(AUTH);
            }
            assertThat(put(peer, 2, "sb://first/q", "owner")).isEqualTo(503L);
            try (RawPeer sasl = sasl("XOAUTH2", response("XOAUTH2", "owner"))) {
                assertThat(sasl.frame().field(0)).isEqualTo(TEMP);
            }
            nowMs.addAndGet(1_000);
            assertThat(put(peer, 3, "sb://first/q", "owner")).isEqualTo(202L);
        }
    }

    @Test
    void keysStillWorkNextToTokens() throws Exception {
        try (RawPeer peer = new RawPeer(gateway.plainPort()).plain(AccessRule.ROOT_NAME, InMemoryBroker.KEY)) {
            peer.begin(0);
            assertThat(attaches(peer, 1, "q")).isTrue();
        }
    }
}
