package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.conformance.support.Sdk;
import java.time.Duration;
import java.time.OffsetDateTime;

/** A receiver that renews its locks by itself. */
final class RenewalCheck extends FailoverCheck {
    /** A short lock, so that a renewal is due soon, but not so short that it ends while the machine is busy. */
    private static final Duration LOCK = Duration.ofSeconds(10);

    private ServiceBusSenderClient sender;
    private ServiceBusReceiverClient receiver;
    private ServiceBusReceivedMessage held;

    RenewalCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-24: a lock that the SDK renews ends with the leader, and the lock of the next delivery is renewed again";
    }

    @Override
    void before() {
        administration.createQueue(entity, new CreateQueueOptions().setLockDuration(LOCK));
        sender = sdk.sender(entity);
        receiver = sdk.receiver(entity, b -> b.maxAutoLockRenewDuration(Duration.ofMinutes(5)));
        sender.sendMessage(message("work"));
        held = Sdk.next(receiver);
    }

    @Override
    void after() {
        // A completion that is on its way when the connection ends would take the SDK minutes, so a send goes first.
        sender.sendMessage(message("more"));
        Throwable lost = catchThrowable(() -> receiver.complete(held));
        assertThat(lost).isInstanceOf(ServiceBusException.class);
        note(lost);
        ServiceBusReceivedMessage again = Sdk.next(receiver);
        assertThat(again.getMessageId()).isEqualTo("work");
        assertThat(again.getDeliveryCount()).isZero();
        OffsetDateTime end = again.getLockedUntil().plusSeconds(1);
        await("the end of a lock without renewals", () -> OffsetDateTime.now().isAfter(end));
        receiver.complete(again);
        ServiceBusReceivedMessage more = Sdk.next(receiver);
        assertThat(more.getMessageId()).isEqualTo("more");
        receiver.complete(more);
        assertThat(Sdk.none(receiver)).isEmpty();
    }
}
