package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Sdk;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** Scheduled messages. */
final class ScheduledCheck extends FailoverCheck {
    private static final Duration SOON = Duration.ofSeconds(8);
    private static final Duration LATE = Duration.ofHours(1);

    private ServiceBusSenderClient sender;
    private OffsetDateTime due;
    private long kept;
    private long canceled;

    ScheduledCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-24, CL-25: a scheduled message arrives once at its time, and another is canceled by its number";
    }

    @Override
    void before() {
        administration.createQueue(entity, queue());
        sender = sdk.sender(entity);
        due = OffsetDateTime.now().plus(SOON).truncatedTo(ChronoUnit.MILLIS);
        kept = sender.scheduleMessage(message("kept"), due);
        canceled = sender.scheduleMessage(message("canceled"), due.plus(LATE));
    }

    @Override
    void after() {
        // Repeatable: the SDK reports success for a message that is canceled already.
        repeated("the cancellation", () -> {
            sender.cancelScheduledMessage(canceled);
            return true;
        });
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(entity);
        ServiceBusReceivedMessage arrived = Sdk.next(receiver);
        assertThat(arrived.getMessageId()).isEqualTo("kept");
        assertThat(arrived.getSequenceNumber()).isGreaterThanOrEqualTo(kept);
        assertThat(arrived.getEnqueuedTime()).isAfterOrEqualTo(due);
        assertThat(Sdk.none(receiver)).isEmpty();
        assertThat(administration.getQueueRuntimeProperties(entity).getScheduledMessageCount())
                .isZero();
    }
}
