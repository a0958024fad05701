package dev.jitney.gateway.amqp.connection;

import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MessageIds;
import java.util.List;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** A client that sends to an entity. Answers come when the messages are durable (wire reference 5.1). */
final class IncomingLink extends LinkInput {
    private final Entity entity;
    private final EntityAddress address;
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(MessageIds::fresh);

    IncomingLink(AmqpConnection connection, Receiver receiver, LinkWire wire, Entity entity, EntityAddress address) {
        super(connection, receiver, wire, entity.maxMessageSizeBytes());
        this.entity = entity;
        this.address = address;
    }

    @Override
    void received(@Nullable ProtonBuffer payload, int messageFormat, Ticket ticket, @Nullable DeliveryState state) {
        if (state instanceof TransactionalState) {
            ticket.reject(new Rejection(ErrorCode.NOT_IMPLEMENTED, "Transactions are not served."));
            return;
        }
        if (payload == null) {
            ticket.reject(new Rejection(ErrorCode.DECODE_ERROR, "Expected a message, but the transfer is empty."));
            return;
        }
        int sizeBytes = payload.getReadableBytes();
        List<IncomingMessage> messages;
        try {
            messages = decoder.decode(ProtonBuffers.reader(payload), messageFormat);
        } catch (MessageFormatException malformed) {
            ticket.reject(malformed.rejection());
            return;
        }
        connection().inFlight(sizeBytes);
        entity.submit(
                new Command.SendMessages(messages),
                connection().executor(),
                connection()
                        .replies(
                                reply -> {
                                    connection().inFlight(-sizeBytes);
                                    ticket.settle(Accepted.getInstance());
                                },
                                rejection -> {
                                    connection().inFlight(-sizeBytes);
                                    if (rejection.code() == ErrorCode.ENTITY_NOT_FOUND) {
                                        close(connection()
                                                .errors()
                                                .of(
                                                        ErrorCode.DETACH_FORCED,
                                                        "The link was closed: " + rejection.description()));
                                    } else {
                                        ticket.reject(rejection);
                                    }
                                }));
    }

    @Override
    String path() {
        return address.path();
    }

    @Override
    public boolean authorized(long nowMs) {
        return connection().authorization().permits(AccessRight.SEND, address, nowMs);
    }
}
