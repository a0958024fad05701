package dev.jitney.conformance.security;

import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.conformance.admin.AdminClients;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.conformance.support.TestTrust;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.identity.RoleMap;
import dev.jitney.server.identity.TestIdentityProvider;
import dev.jitney.server.identity.TestIssuer;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** The Java SDK with a TokenCredential, whose tokens come from an identity provider on this machine. */
class JavaIdentityTest {
    private static final String OWNER = "Azure Service Bus Data Owner";

    /** Enough new tokens for all links: the SDK renews the token of the receiver, and that of the sender. */
    private static final int RENEWALS = 2;

    private static final TestIdentityProvider PROVIDER = new TestIdentityProvider();

    @RegisterExtension
    static final TestBroker broker = TestBroker.withStandardHttps(b -> b.identityProvider(new OidcSettings(
            PROVIDER.issuer().issuer(),
            List.of(TestIssuer.AUDIENCE),
            null,
            null,
            null,
            0,
            OidcSettings.NAME_CLAIM,
            OidcSettings.ROLE_CLAIMS,
            RoleMap.of(List.of()))));

    private static TestTrust trust;

    @BeforeAll
    static void trustTheServer() throws Exception {
        trust = TestTrust.in(broker.trustStore());
    }

    @AfterAll
    static void stop() {
        trust.close();
        PROVIDER.close();
    }

    /**
     * A credential of a program with roles.
     *
     * @param life     the time for which the broker accepts a token, by its own clock
     * @param toldLife the end of the token for the SDK, by the clock of the machine; it renews a token before that
     */
    private record Program(Duration life, Duration toldLife, AtomicInteger issued, String... roles)
            implements TokenCredential {
        @Override
        public Mono<AccessToken> getToken(com.azure.core.credential.TokenRequestContext context) {
            Instant now = broker.now();
            String token = PROVIDER.issuer()
                    .token(PROVIDER.issuer()
                            .claims("worker", now.toEpochMilli(), roles)
                            .expirationTime(Date.from(now.plus(life))));
            issued.incrementAndGet();
            return Mono.just(
                    new AccessToken(token, OffsetDateTime.now(ZoneOffset.UTC).plus(toldLife)));
        }
    }

    private static Program with(String... roles) {
        Duration hour = Duration.ofHours(1);
        return new Program(hour, hour, new AtomicInteger(), roles);
    }

    private static Sdk sdk(TokenCredential credential) {
        return new Sdk(TestBroker.withShortTimeouts(new ServiceBusClientBuilder()
                .credential("localhost", credential)
                .customEndpointAddress("https://localhost:" + broker.amqpsPort())));
    }

    private static ServiceBusAdministrationClient administration(TokenCredential credential) {
        return AdminClients.builderOf(broker)
                .credential("localhost", credential)
                .buildClient();
    }

    @Test
    @DisplayName("A token with the roles for sending and receiving does both, over AMQP with TLS")
    void sendsAndReceives() throws Exception {
        String queue = broker.queue();
        try (Sdk sender = sdk(with("Azure Service Bus Data Sender"));
                Sdk receiver = sdk(with("Azure Service Bus Data Receiver"));
                Sdk nothing = sdk(with("Reader"))) {
            sender.send(queue, "m");
            assertThat(next(receiver.deletingReceiver(queue)).getMessageId()).isEqualTo("m");
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> receiver.send(queue, "refused"));
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> nothing.send(queue, "refused"));
        }
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("The administration client creates, forwards and deletes with the role of an owner, and no other")
    void administers() {
        ServiceBusAdministrationClient admin = administration(with(OWNER));
        String target = admin.createQueue(TestBroker.name("target")).getName();
        String source = admin.createQueue(TestBroker.name("source"), new CreateQueueOptions().setForwardTo(target))
                .getName();

        assertThat(admin.getQueue(source).getForwardTo()).endsWith(target);
        assertThat(broker.has(source)).isTrue();
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() ->
                        administration(with("Azure Service Bus Data Sender")).deleteQueue(source)))
                .hasMessageContaining("401");
        admin.deleteQueue(source);
        assertThat(broker.has(source)).isFalse();
    }

    @Test
    @DisplayName("A receiver continues with renewed tokens beyond the life of the first one")
    void renewsTokens() throws Exception {
        String queue = broker.queue();
        Duration life = Duration.ofSeconds(60);
        Program program = new Program(life, Duration.ofSeconds(3), new AtomicInteger(), OWNER);
        try (Sdk sdk = sdk(program)) {
            ServiceBusReceiverAsyncClient receiver =
                    // A completion under way when the SDK replaces its connection ends the whole stream with an error.
                    sdk.keep(sdk.builder()
                            .receiver()
                            .queueName(queue)
                            .disableAutoComplete()
                            .buildAsyncClient());
            Iterator<ServiceBusReceivedMessage> messages =
                    receiver.receiveMessages().toIterable(1).iterator();
            sdk.send(queue, "1");
            assertThat(messages.next().getMessageId()).isEqualTo("1");
            Instant end = broker.now().plus(life); // the first token has expired then
            int count = 1;
            while (broker.now().isBefore(end)) {
                int issued = program.issued().get();
                Await.until("renewed tokens", () -> program.issued().get() >= issued + RENEWALS);
                broker.advance(life.dividedBy(4));
                String id = String.valueOf(++count);
                sdk.send(queue, id);
                assertThat(firstNew(messages, count - 1)).isEqualTo(id);
            }
        }
        assertThat(program.issued().get()).isGreaterThan(2);
    }

    /**
     * Returns the id of the first message after those with the ids from 1 on, which come again when the clock has moved past their locks. The SDK
     * renews the tokens of this test each second. On a busy machine it interrupts itself meanwhile, closes its connection, and abandons all messages
     * that it has not completed, so they come again then, too.
     */
    private static String firstNew(Iterator<ServiceBusReceivedMessage> messages, int known) {
        String id = messages.next().getMessageId();
        while (Integer.parseInt(id) <= known) {
            id = messages.next().getMessageId();
        }
        return id;
    }
}
