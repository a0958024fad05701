package dev.jitney.cli.message;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A receiver, and messages from it in batches.
 *
 * <p>Asked for a thousand at once, the SDK overflows its own buffer and drops some, which in receive-and-delete mode is
 * a loss; a batch is therefore never more than {@value #BATCH_MAX}.
 */
public final class Receiving implements AutoCloseable {
    static final int BATCH_MAX = 200;

    /** Behind it stand names, not words. */
    private static final Pattern TRACKING = Pattern.compile("TrackingId:.*", Pattern.DOTALL);

    private static final Pattern TOPIC = Pattern.compile("\\btopic\\b", Pattern.CASE_INSENSITIVE);

    private final NamespaceClients clients;
    private final ServiceBusReceiverClient receiver;

    private Receiving(NamespaceClients clients, ServiceBusReceiverClient receiver) {
        this.clients = clients;
        this.receiver = receiver;
    }

    /** Of an entity without sessions. */
    static Receiving of(NamespaceClients clients, EntityAddress address, ServiceBusReceiveMode mode) {
        return new Receiving(
                clients, address.receiver(clients.messages()).receiveMode(mode).buildClient());
    }

    /** Of one session, or with null of the next that is free; waits for it. */
    static Receiving ofSession(
            NamespaceClients clients, EntityAddress address, ServiceBusReceiveMode mode, @Nullable String sessionId) {
        ServiceBusSessionReceiverClient sessions = clients.keep(
                address.sessionReceiver(clients.messages()).receiveMode(mode).buildClient());
        return new Receiving(
                clients, sessionId == null ? sessions.acceptNextSession() : sessions.acceptSession(sessionId));
    }

    ServiceBusReceiverClient receiver() {
        return receiver;
    }

    /** What comes within the time, at most so many; empty if nothing does, or after Ctrl-C. */
    List<ServiceBusReceivedMessage> batch(long max, Duration wait) {
        List<ServiceBusReceivedMessage> batch = new ArrayList<>();
        clients.console()
                .interruption()
                .waitIn(() -> receiver.receiveMessages((int) Math.min(BATCH_MAX, max), wait)
                        .forEach(batch::add));
        return batch;
    }

    /** Whether the entity refused because it has sessions (it says so in words only). */
    static boolean needsSession(Throwable failure) {
        return refusal(failure).contains("session");
    }

    /** Whether the entity refused because it is a topic (it says so in words only). */
    public static boolean needsSubscription(Throwable failure, EntityAddress address) {
        return address.subscription() == null
                && TOPIC.matcher(refusal(failure).replace(address.entity(), "")).find();
    }

    /** What the server said when it did not allow something; empty if it failed for other reasons. */
    private static String refusal(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof AmqpException amqp && amqp.getErrorCondition() == AmqpErrorCondition.NOT_ALLOWED
                    || e instanceof UnsupportedOperationException) { // what a receiving link makes of the same
                return TRACKING.matcher(String.valueOf(e.getMessage())).replaceFirst("");
            }
        }
        return "";
    }

    /** What helps whoever took a topic for a queue. */
    public static Failure needsSubscription(EntityAddress address, Throwable cause) {
        return new Failure(
                Failure.FAULT,
                "'" + address.entity() + "' is a topic; its messages are in its subscriptions: " + address.entity()
                        + "/subscriptions/NAME. See: jitney subscription list " + address.entity(),
                cause);
    }

    @Override
    public void close() {
        receiver.close();
    }
}
