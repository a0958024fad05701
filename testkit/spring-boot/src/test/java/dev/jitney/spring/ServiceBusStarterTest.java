package dev.jitney.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.testkit.Jitney;
import dev.jitney.testkit.NamespaceDefinition;
import dev.jitney.testkit.StoredMessage;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.core.JmsTemplate;

@Timeout(120)
@SpringBootTest(
        properties = {
            "spring.cloud.azure.servicebus.entity-name=orders",
            "spring.cloud.azure.servicebus.entity-type=queue",
            "spring.cloud.azure.servicebus.producer.entity-name=orders",
        })
@AutoConfigureJitney(queues = "letters", entities = ServiceBusStarterTest.Entities.class)
class ServiceBusStarterTest {
    @Autowired
    private Jitney jitney;

    @Autowired
    private ServiceBusSenderClient sender;

    @Autowired
    private ServiceBusClientBuilder builder;

    @Autowired
    private JmsTemplate jms;

    @Autowired
    private ConnectionFactory connections;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}

    static final class Entities implements Consumer<NamespaceDefinition> {
        @Override
        public void accept(NamespaceDefinition namespace) {
            namespace.queue("orders", q -> q.maxDeliveryCount(2).lockDuration(Duration.ofSeconds(10)));
        }
    }

    /** Every test finds what it began with. */
    @BeforeEach
    void isEmpty() {
        jitney.queue("orders").assertEmpty();
        jitney.queue("letters").assertEmpty();
    }

    @Test
    @DisplayName("The clients of the starter send to the broker, and a test moves its clock")
    void starter() {
        sender.sendMessage(new ServiceBusMessage("one"));
        assertThat(jitney.queue("orders").messages())
                .extracting(StoredMessage::body)
                .containsExactly("one");
        try (ServiceBusReceiverClient receiver =
                builder.receiver().queueName("orders").buildClient()) {
            ServiceBusReceivedMessage first =
                    receiver.receiveMessages(1).stream().findFirst().orElseThrow();
            assertThat(first.getDeliveryCount()).isZero();
            jitney.clock().advance(Duration.ofSeconds(11));
            ServiceBusReceivedMessage second =
                    receiver.receiveMessages(1).stream().findFirst().orElseThrow();
            assertThat(second.getMessageId()).isEqualTo(first.getMessageId());
            assertThat(second.getDeliveryCount()).isEqualTo(1);
            receiver.complete(second);
        }
    }

    @Test
    @DisplayName("A template of the starter for JMS sends and receives, without TLS")
    void jms() {
        jms.convertAndSend("letters", "Dear Jitney");
        assertThat(jitney.queue("letters").messages()).hasSize(1);
        jms.setReceiveTimeout(10_000);
        assertThat(jms.receiveAndConvert("letters")).isEqualTo("Dear Jitney");
        assertThat(connections).isInstanceOf(JmsConnectionFactory.class);
    }

    @Test
    @DisplayName("A message that a test leaves behind is gone in the next one")
    void leftBehind() {
        jitney.queue("letters").send("left behind");
        jitney.queue("orders").send("left behind");
    }
}
