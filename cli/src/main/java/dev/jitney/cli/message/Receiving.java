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
 * A receiver that returns messages in batches.
 *
 * <p>For a request of a thousand messages, the SDK overflows its own buffer and drops some, which loses messages in
 * receive-and-delete mode. A batch is therefore never larger than {@value #BATCH_MAX}.
 */
public final class Receiving implements AutoCloseable {
    static final int BATCH_MAX = 200;

    /** The end of an error message, which contains names instead of words. */
    private static final Pattern TRACKING = Pattern.compile("TrackingId:.*", Pattern.DOTALL);

    private static final Pattern TOPIC = Pattern.compile("\\btopic\\b", Pattern.CASE_INSENSITIVE);

    private final NamespaceClients clients;
    private final ServiceBusReceiverClient receiver;

    private Receiving(NamespaceClients clients, ServiceBusReceiverClient receiver) {
        this.clients = clients;
        this.receiver = receiver;
    }

    /** Opens a receiver of an entity without sessions. */
    static Receiving of(NamespaceClients clients, EntityAddress address, ServiceBusReceiveMode mode) {
        return new Receiving(
                clients, address.receiver(clients.messages()).receiveMode(mode).buildClient());
    }

    /** Opens a receiver of a session, or of the next free one for null, and waits for it. */
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

    /** Returns up to {@code max} messages that arrive within the time. Empty if none arrives, or after Ctrl-C. */
    List<ServiceBusReceivedMessage> batch(long max, Duration wait) {
        List<ServiceBusReceivedMessage> batch = new ArrayList<>();
        clients.console()
                .interruption()
                .waitIn(() -> receiver.receiveMessages((int) Math.min(BATCH_MAX, max), wait)
                        .forEach(batch::add));
        return batch;
    }

    /** Returns whether the entity refused because it requires sessions. Only the error text says so. */
    static boolean needsSession(Throwable failure) {
        return refusal(failure).contains("session");
    }

    /** Returns whether the entity refused because it is a topic. Only the error text says so. */
    public static boolean needsSubscription(Throwable failure, EntityAddress address) {
        return address.subscription() == null
                && TOPIC.matcher(refusal(failure).replace(address.entity(), "")).find();
    }

    /** Returns the server's message if it refused the operation, empty text for other failures. */
    private static String refusal(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof AmqpException amqp && amqp.getErrorCondition() == AmqpErrorCondition.NOT_ALLOWED
                    || e instanceof UnsupportedOperationException) { // a receiving link throws this for it
                return TRACKING.matcher(String.valueOf(e.getMessage())).replaceFirst("");
            }
        }
        return "";
    }

    /** Returns the failure for a user who named a topic in place of a queue. */
    public static Failure needsSubscription(EntityAddress address, Throwable cause) {
        return new Failure(
                Failure.FAULT,
                "'" + address.entity() + "' is a topic. Its messages are in its subscriptions: " + address.entity()
                        + "/subscriptions/NAME. See: jitney subscription list " + address.entity(),
                cause);
    }

    @Override
    public void close() {
        receiver.close();
    }
}
