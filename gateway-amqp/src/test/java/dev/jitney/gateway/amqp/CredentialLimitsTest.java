package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.ClientLimits;
import dev.jitney.runtime.client.CredentialCounts;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.IdentityProvider;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The limits of wrong keys, and of the connections of an access rule. */
class CredentialLimitsTest extends AmqpWireScenario {
    private static final int CLOSE = 0x18;
    private static final String OK = "0";
    private static final String WRONG = "1";
    private static final String LATER = "4";

    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final CredentialCounts counts = new CredentialCounts(2);
    private final AddressLimits addresses = new AddressLimits(new ClientLimits(0, 0, 20, 2), nowMs::get);

    @Override
    AmqpGatewayOptions options() {
        return super.options()
                .withAdmission(new ClientAdmission(addresses, counts, new CertificateRules(), IdentityProvider.NONE));
    }

    private String outcome(String rule, String key) throws Exception {
        try (RawPeer peer = peer()) {
            peer.sasl("PLAIN", ("\0" + rule + "\0" + key).getBytes(StandardCharsets.UTF_8));
            return String.valueOf(peer.frame().field(0));
        }
    }

    @Test
    @DisplayName(
            "After two wrong keys for a rule its keys are not checked for a second, and the answer is to try again")
    void pausesARule() throws Exception {
        assertThat(outcome(RULE, "wrong")).isEqualTo(WRONG);
        assertThat(outcome(RULE, "wrong")).isEqualTo(WRONG);
        assertThat(outcome(RULE, "wrong")).isEqualTo(LATER);
        assertThat(outcome(RULE, InMemoryBroker.KEY)).isEqualTo(LATER);
        assertThat(outcome("another", "wrong")).isEqualTo(WRONG);
        nowMs.addAndGet(1_000);
        assertThat(outcome(RULE, InMemoryBroker.KEY)).isEqualTo(OK);
        assertThat(outcome(RULE, "wrong")).isEqualTo(WRONG);
        assertThat(outcome(RULE, InMemoryBroker.KEY)).isEqualTo(OK);
        assertThat(addresses.figures().refusedAttempts()).isEqualTo(2);
        assertThat(counts.counts())
                .anySatisfy(count -> {
                    assertThat(count.rule()).isEqualToIgnoringCase(RULE);
                    assertThat(count.failed()).isEqualTo(3);
                })
                .anySatisfy(count -> {
                    assertThat(count.rule()).isEmpty();
                    assertThat(count.failed()).isOne();
                });
    }

    @Test
    @DisplayName("A rule has its limit of connections, and a closed connection makes room")
    void limitsARule() throws Exception {
        try (RawPeer first = authorized();
                RawPeer second = authorized()) {
            assertThat(counts.counts().get(0).connections()).isEqualTo(2);
            try (RawPeer third = peer().plain(RULE, InMemoryBroker.KEY)) {
                assertThat(third.next(CLOSE)).isNotNull();
            }
            first.begin(1);
            second.begin(1);
        }
        while (counts.counts().get(0).connections() > 0) {
            Thread.onSpinWait(); // the timeout of the class ends it
        }
        authorized().close();
    }
}
