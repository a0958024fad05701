package dev.jitney.conformance.paired;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.conformance.support.TestTrust;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.paired.Syphon;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the guide's code, and of the connection options it describes. */
class PairedGuideTest extends PairedTest {
    @RegisterExtension
    static final TestBroker encrypted = TestBroker.withHttps();

    @Test
    @DisplayName("PAIR-1: the guide's application sends, and its syphon returns messages diverted before")
    void example() {
        String orders = primary.queue("orders", q -> q);
        MessagingFactory earlier = keep(factory(primary).namespaceName("berlin").build());
        earlier.pairNamespace(options(o -> o.backlogQueueCount(10)));
        disable(orders);
        sender(earlier, orders).send(new ServiceBusMessage("one tea"));
        enable(orders);
        new PairedOrders(primary.connectionString(), secondary.connectionString(), secondary.httpPort())
                .connectElsewhereAndSend();
        // The application's own syphon may already have locked or returned the message "tea".
        IntStream.range(0, 10).forEach(i -> secondary.awaitNoReceivers("berlin/x-servicebus-transfer/" + i));
        secondary.advance(Duration.ofSeconds(61));
        keep(PairedOrders.bringHome(earlier, keep(factory(secondary).build())));
        Set<String> ordered = new HashSet<>();
        ServiceBusReceiverClient receiver = atPrimary.receiver(orders);
        while (ordered.size() < 2) {
            ordered.add(next(receiver).getBody().toString());
        }
        assertThat(ordered).containsExactlyInAnyOrder("one coffee", "one tea");
    }

    @Test
    @DisplayName("PAIR-1: over TLS, with custom endpoint and administration over HTTPS")
    void overTls() throws Exception {
        String connectionString =
                "Endpoint=sb://localhost;SharedAccessKeyName=" + TestBroker.RULE + ";SharedAccessKey=" + TestBroker.KEY;
        try (TestTrust trust = TestTrust.in(encrypted.trustStore())) {
            MessagingFactory away = keep(MessagingFactory.builder()
                    .connectionString(connectionString)
                    .customEndpoint("https://localhost:" + encrypted.amqpsPort())
                    .administrationEndpoint("http://localhost:" + encrypted.httpPort())
                    .build());
            SendAvailabilityPairedNamespaceOptions options = SendAvailabilityPairedNamespaceOptions.builder(away)
                    .backlogQueueCount(2)
                    .failoverInterval(Duration.ZERO)
                    .build();
            MessagingFactory factory = unpaired();
            factory.pairNamespace(options);
            String queue = primary.queue();
            disable(queue);
            sender(factory, queue).send(new ServiceBusMessage("m"));
            assertThat(encrypted.counts(backlogQueue(0)).active()
                            + encrypted.counts(backlogQueue(1)).active())
                    .isEqualTo(1);
            enable(queue);
            keep(Syphon.start(factory, options));
            assertThat(next(atPrimary.receiver(queue)).getBody()).hasToString("m");
            assertThat(trust).isNotNull();
        }
    }
}
