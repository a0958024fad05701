package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.that;

import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageReceiver;
import com.microsoft.azure.servicebus.Message;
import com.microsoft.azure.servicebus.primitives.ConnectionStringBuilder;
import com.microsoft.azure.servicebus.primitives.MessagingFactory;
import com.microsoft.azure.servicebus.primitives.TransportType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A base class for checks with messages, which use a WebSocket, because this SDK has no option for another port. */
abstract class OverWebSocket {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String connectionString;

    OverWebSocket(String connectionString) {
        this.connectionString = connectionString;
    }

    final ConnectionStringBuilder to(String path) {
        return new ConnectionStringBuilder(connectionString, path).setTransportType(TransportType.AMQP_WEB_SOCKETS);
    }

    final MessagingFactory factory() throws Exception {
        return MessagingFactory.createFromConnectionStringBuilder(
                new ConnectionStringBuilder(connectionString).setTransportType(TransportType.AMQP_WEB_SOCKETS));
    }

    /** Returns a message with its id as its body. */
    static Message message(String id) {
        Message message = new Message(id.getBytes(StandardCharsets.UTF_8));
        message.setMessageId(id);
        return message;
    }

    /** Receives the next message, which must arrive. */
    static IMessage next(IMessageReceiver receiver) throws Exception {
        IMessage message = receiver.receive(PATIENCE);
        that(message != null, "a message in " + receiver.getEntityPath());
        return message;
    }
}
