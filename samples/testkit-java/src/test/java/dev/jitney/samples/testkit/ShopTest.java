package dev.jitney.samples.testkit;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jitney.testkit.Jitney;
import dev.jitney.testkit.StoredMessage;
import dev.jitney.testkit.junit.JitneyExtension;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class ShopTest {
    @RegisterExtension
    static final JitneyExtension jitney = JitneyExtension.broker()
            .queue("orders", q -> q.lockDuration(ofSeconds(30)).maxDeliveryCount(3))
            .queue("reminders")
            .topic("drinks", t -> t.subscription("all").subscription("large", s -> s.sql("cups > 2")))
            .namespacePerTest();

    @Test
    void sendsDrinks(Jitney broker) {
        try (Shop shop = shop(broker)) {
            broker.queue("orders").send("latte", m -> m.property("customer", "c2").property("cups", 3));
            broker.queue("orders").send("espresso", m -> m.property("customer", "c3").property("cups", 1));
            broker.queue("orders").awaitEmpty();

            assertEquals(Set.of("c2", "c3"), shop.customers());
            broker.subscription("drinks", "all").assertHas(2);
            broker.subscription("drinks", "large").assertContains("latte");
            broker.queue("orders").assertEmpty();
            broker.queue("orders").assertNoDeadLetters();
        }
    }

    @Test
    void deadLettersAnOrderWithoutACustomer(Jitney broker) {
        try (Shop shop = shop(broker)) {
            broker.queue("orders").send("latte", m -> m.messageId("order-7"));
            broker.queue("orders").awaitEmpty();

            broker.queue("orders").assertDeadLettered("order-7", "MaxDeliveryCountExceeded");
            List<StoredMessage> deadLetters = broker.queue("orders").deadLetters();
            assertEquals("latte", deadLetters.get(0).body());
            assertTrue(shop.customers().isEmpty());
        }
    }

    @Test
    void remindsOfGiftsAfterAnHour(Jitney broker) {
        try (Shop shop = shop(broker)) {
            broker.queue("orders").send("latte", m -> m.property("customer", "c2").property("cups", 1).subject("gift"));
            broker.queue("orders").awaitEmpty();
            assertEquals(1, broker.queue("reminders").scheduled().size());

            broker.clock().advance(ofHours(1));

            broker.queue("reminders").assertContains("Thank c2");
            assertEquals(Set.of("c2"), shop.customers());
        }
    }

    @Test
    void survivesALostConnection(Jitney broker) {
        try (Shop shop = shop(broker)) {
            broker.faults().disconnect();
            broker.queue("orders").send("latte", m -> m.property("customer", "c2").property("cups", 1));
            broker.queue("orders").awaitEmpty(ofSeconds(30));

            broker.subscription("drinks", "all").assertHas(1);
            assertEquals(Set.of("c2"), shop.customers());
        }
    }

    @Test
    void explainsAMissingMessage(Jitney broker) {
        broker.topic("drinks").send("espresso", m -> m.property("cups", 1));

        AssertionError error = assertThrows(
                AssertionError.class, () -> broker.subscription("drinks", "large").assertContains("espresso"));

        assertTrue(error.getMessage().contains("rule 'rule-1' (cups > 2): does not match; cups = 1 (int)"));
    }

    private static Shop shop(Jitney broker) {
        return new Shop(broker.connectionString(), broker.clock().asJavaClock());
    }
}
