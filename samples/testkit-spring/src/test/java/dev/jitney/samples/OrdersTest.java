package dev.jitney.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.spring.messaging.servicebus.core.ServiceBusTemplate;
import dev.jitney.spring.AutoConfigureJitney;
import dev.jitney.testkit.Jitney;
import dev.jitney.testkit.NamespaceDefinition;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.messaging.support.MessageBuilder;

@SpringBootTest(properties = "spring.cloud.azure.servicebus.entity-type=queue")
@AutoConfigureJitney(entities = OrdersTest.Entities.class)
class OrdersTest {
    @Autowired
    private Jitney jitney;

    @Autowired
    private Orders orders;

    @Autowired
    private ServiceBusTemplate template;

    static class Entities implements Consumer<NamespaceDefinition> {
        @Override
        public void accept(NamespaceDefinition namespace) {
            namespace.queue("orders", q -> q.maxDeliveryCount(3));
        }
    }

    @Test
    void readsAnOrder() {
        template.send("orders", MessageBuilder.withPayload("two coffees").setHeader("customer", "c2").build());
        await().untilAsserted(() -> assertThat(orders.seen()).containsExactly("c2: two coffees"));
        jitney.awaitIdle();
        jitney.queue("orders").assertEmpty();
    }

    @Test
    void deadLettersAnOrderWithoutACustomer() {
        jitney.queue("orders").send("two coffees");
        await().untilAsserted(() -> assertThat(jitney.queue("orders").deadLetters())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).isEqualTo("MaxDeliveryCountExceeded")));
    }
}
