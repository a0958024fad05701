package dev.jitney.gateway.amqp.link;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.access.Authorization;
import dev.jitney.gateway.amqp.transaction.DeclaredTransactions;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MessageIds;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction.Work;
import dev.jitney.runtime.client.ClientLink;
import java.util.List;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** The link of a client that sends to an entity. Answers leave when the messages are durable (wire reference 5.1). */
final class IncomingLink extends LinkInput {
    private final Entity entity;
    private final EntityAddress address;
    private final Entity via;
    private final EntityAddress viaAddress;
    private final IncomingMessageDecoder decoder;

    /**
     * @param entity the destination of the messages
     * @param via the entity that the messages are sent via, nearly always the destination itself (TX-4)
     */
    IncomingLink(
            LinkContext context,
            Receiver receiver,
            LinkWire wire,
            Entity entity,
            EntityAddress address,
            Entity via,
            EntityAddress viaAddress) {
        super(context, receiver, wire, entity.maxMessageSizeBytes());
        this.entity = entity;
        this.address = address;
        this.via = via;
        this.viaAddress = viaAddress;
        decoder = new IncomingMessageDecoder(MessageIds::fresh, context.memory().messageBytesMax());
    }

    @Override
    void received(byte @Nullable [] payload, int messageFormat, Ticket ticket, @Nullable DeliveryState state) {
        if (payload == null) {
            refuse(
                    new Rejection(ErrorCode.DECODE_ERROR, "Expected a message, but the transfer is empty."),
                    ticket,
                    state);
            return;
        }
        List<IncomingMessage> messages;
        try {
            messages = decoder.decode(new AmqpReader(payload, 0, payload.length), messageFormat);
        } catch (MessageFormatException malformed) {
            refuse(malformed.rejection(), ticket, state);
            return;
        }
        long sizeBytes = payload.length + (long) messages.size() * IncomingMessage.OBJECT_BYTES;
        context().memory().inFlight(sizeBytes);
        Command.SendMessages send = new Command.SendMessages(messages);
        if (state instanceof TransactionalState transactional) {
            context()
                    .transactions()
                    .submit(
                            transactional,
                            Work.on(entity, send).via(via),
                            answers(
                                    ticket,
                                    sizeBytes,
                                    DeclaredTransactions.wrap(transactional, Accepted.getInstance())));
        } else {
            entity.submit(send, context().loop().executor(), answers(ticket, sizeBytes, Accepted.getInstance()));
        }
    }

    private void refuse(Rejection rejection, Ticket ticket, @Nullable DeliveryState state) {
        context().transactions().refused(state, rejection);
        ticket.reject(rejection);
    }

    private ReplyListener answers(Ticket ticket, long sizeBytes, DeliveryState success) {
        return context()
                .loop()
                .replies(
                        reply -> {
                            context().memory().inFlight(-sizeBytes);
                            ticket.settle(success);
                        },
                        rejection -> {
                            context().memory().inFlight(-sizeBytes);
                            if (rejection.code() == ErrorCode.ENTITY_NOT_FOUND) {
                                close(context()
                                        .errors()
                                        .of(
                                                ErrorCode.DETACH_FORCED,
                                                "The link was closed: " + rejection.description()));
                            } else {
                                ticket.reject(rejection);
                            }
                        });
    }

    @Override
    public @Nullable String goneEntity() {
        if (entity.isGone()) {
            return entity.path();
        }
        return via.isGone() ? via.path() : null;
    }

    @Override
    public @Nullable Entity destinationVia(Entity first) {
        return via == first && entity != first ? entity : null;
    }

    @Override
    public @Nullable ClientLink describe(Entity of, EntityAddress asked) {
        boolean wanted = (entity == of || via == of) && asked.subQueue() == SubQueue.MAIN;
        return wanted ? described(address) : null;
    }

    @Override
    public boolean isWork() {
        return true;
    }

    @Override
    String path() {
        return address.path();
    }

    @Override
    public boolean authorized(long nowMs) {
        Authorization authorization = context().access().authorization();
        return authorization.permits(AccessRight.SEND, address, nowMs)
                && authorization.permits(AccessRight.SEND, viaAddress, nowMs);
    }
}
