package dev.jitney.conformance.admin;

import static dev.jitney.conformance.admin.AdminClients.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.NamespaceProperties;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.TierProfile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the differences in the tier PREMIUM. */
class JavaPremiumTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withStandardHttps(b -> b.tier(TierProfile.PREMIUM));

    private static ServiceBusAdministrationClient admin;

    @BeforeAll
    static void connect() {
        admin = AdminClients.of(broker);
    }

    @Test
    @DisplayName("HTTP 2.7: the namespace has a tier and a messaging unit")
    void namespace() {
        NamespaceProperties namespace = admin.getNamespaceProperties();
        assertThat(namespace.getMessagingSku()).hasToString("Premium");
        assertThat(namespace.getMessagingUnits()).isEqualTo(1);
    }

    @Test
    @DisplayName("QUOTA-5, HTTP 5.2: MaxMessageSizeInKilobytes is 1024 by default and may be set up to 102400")
    void messageSize() {
        String queue = TestBroker.name("queue");
        assertThat(admin.createQueue(queue).getMaxMessageSizeInKilobytes()).isEqualTo(1024);
        assertThat(admin.updateQueue(admin.getQueue(queue).setMaxMessageSizeInKilobytes(102_400))
                        .getMaxMessageSizeInKilobytes())
                .isEqualTo(102_400);
        assertThat(admin.createTopic(
                                TestBroker.name("topic"), new CreateTopicOptions().setMaxMessageSizeInKilobytes(2048))
                        .getMaxMessageSizeInKilobytes())
                .isEqualTo(2048);
        assertRefused(
                "SubCode=40000. The property value for 'MaxMessageSizeInKilobytes'",
                () -> admin.updateQueue(admin.getQueue(queue).setMaxMessageSizeInKilobytes(102_401)));
        assertRefused(
                "SubCode=40000.",
                () -> admin.createQueue(
                        TestBroker.name("queue"), new CreateQueueOptions().setMaxMessageSizeInKilobytes(1023)));
    }

    @Test
    @DisplayName("PART-19 to PART-21: a partitioned queue may have 80 GB and reports this size")
    void sizes() {
        assertThat(admin.createQueue(TestBroker.name("queue"), new CreateQueueOptions().setMaxSizeInMegabytes(81_920))
                        .getMaxSizeInMegabytes())
                .isEqualTo(81_920);
        assertRefused(
                "SubCode=40000.",
                () -> admin.createQueue(
                        TestBroker.name("queue"), new CreateQueueOptions().setMaxSizeInMegabytes(7_168)));
    }

    @Test
    @DisplayName(
            "PART-7, PART-8, C-23: all entities are partitioned regardless of the request, read true and can be updated")
    void partitioned() {
        for (boolean asked : new boolean[] {false, true}) {
            String queue = TestBroker.name("queue");
            String topic = TestBroker.name("topic");
            admin.createQueue(queue, new CreateQueueOptions().setPartitioningEnabled(asked));
            admin.createTopic(topic, new CreateTopicOptions().setPartitioningEnabled(asked));
            assertThat(admin.getQueue(queue).isPartitioningEnabled()).isTrue();
            assertThat(admin.getTopic(topic).isPartitioningEnabled()).isTrue();
            assertThat(admin.updateQueue(admin.getQueue(queue).setMaxDeliveryCount(3))
                            .getMaxDeliveryCount())
                    .isEqualTo(3);
            assertThat(admin.updateTopic(admin.getTopic(topic).setUserMetadata("m"))
                            .getUserMetadata())
                    .isEqualTo("m");
        }
    }
}
