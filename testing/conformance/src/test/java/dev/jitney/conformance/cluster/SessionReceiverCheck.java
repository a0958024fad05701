package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import dev.jitney.conformance.support.Sdk;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** A receiver of one session. Its session is accepted again, because the lock is lost. */
final class SessionReceiverCheck extends FailoverCheck {
    private static final String SESSION = "s";

    private ServiceBusSenderClient sender;
    private ServiceBusSessionReceiverClient sessions;
    private ServiceBusReceiverClient held;
    private ServiceBusReceivedMessage locked;

    SessionReceiverCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-24: the lock of a session ends with the leader, but its messages, their order and its state remain";
    }

    @Override
    void before() {
        administration.createQueue(entity, queue().setSessionRequired(true));
        sender = sdk.sender(entity);
        sender.sendMessages(IntStream.range(0, 5)
                .mapToObj(i -> message("m" + i).setSessionId(SESSION))
                .toList());
        sessions = sdk.keep(sdk.builder()
                .sessionReceiver()
                .queueName(entity)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient());
        held = sessions.acceptSession(SESSION);
        held.complete(Sdk.next(held));
        held.setSessionState("half".getBytes(StandardCharsets.UTF_8));
        locked = Sdk.next(held);
    }

    @Override
    void after() {
        sender.sendMessage(message("m5").setSessionId(SESSION));
        Throwable lost = catchThrowable(() -> held.complete(locked));
        assertThat(lost).isInstanceOf(RuntimeException.class);
        note(lost);
        held.close();
        try (ServiceBusReceiverClient again = accept()) {
            assertThat(again.getSessionState()).asString().isEqualTo("half");
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                ServiceBusReceivedMessage message = Sdk.next(again);
                assertThat(message.getDeliveryCount())
                        .as(message.getMessageId())
                        .isZero();
                again.complete(message);
                ids.add(message.getMessageId());
            }
            assertThat(ids).containsExactly("m1", "m2", "m3", "m4", "m5");
        }
    }

    /** Accepts the session. The SDK does not repeat this call after every error, so the application does. */
    private ServiceBusReceiverClient accept() {
        AtomicReference<ServiceBusReceiverClient> accepted = new AtomicReference<>();
        await("the session", () -> {
            try {
                accepted.set(sessions.acceptSession(SESSION));
                return true;
            } catch (RuntimeException e) {
                note(e);
                throw e;
            }
        });
        return accepted.get();
    }
}
