package dev.jitney.crash.kill;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.CoordinatorLink;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.qpid.protonj2.types.Binary;

/** A client that advances chains, with one transaction per step and many at a time, until the connection is closed. */
final class Transacting implements AutoCloseable, ReceiverLink.Listener, SenderLink.Listener {
    private final Chains chains;
    private final Random random;
    private final AmqpClient client = new AmqpClient(1);
    private final ClientConnection connection;
    private final List<SenderLink> senders = new ArrayList<>();
    private final CoordinatorLink coordinator;

    /** @param queues IN, and the queues for notes */
    Transacting(Chains chains, Endpoint endpoint, String in, List<String> queues, long seed)
            throws AmqpException, InterruptedException {
        this.chains = chains;
        this.random = new Random(seed);
        connection = client.open(endpoint);
        coordinator = AmqpClient.await(connection.coordinator());
        senders.add(AmqpClient.await(connection.sender(in, this)));
        for (String queue : queues) {
            senders.add(AmqpClient.await(connection.sender(queue, this)));
        }
        AmqpClient.await(connection.receiver(in, 100, true, this));
    }

    @Override
    public void received(ReceiverLink link, Incoming message) {
        ReceivedMessage taken = message.message();
        int chain = Chains.chainOf(taken);
        long next = Chains.numberOf(taken) + 1;
        if (coordinator.canSend() && senders.stream().allMatch(SenderLink::canSend)) {
            coordinator.declare(transaction -> move(message, chain, next, transaction));
        } else {
            message.release();
        }
    }

    private void move(Incoming message, int chain, long next, Binary transaction) {
        String name = Chains.message(chain, next);
        byte[] encoded = Messages.encode(name, name.getBytes(StandardCharsets.US_ASCII));
        message.complete(transaction);
        senders.forEach(sender -> sender.send(encoded, name, transaction));
        boolean fail = random.nextInt(1_000) == 0; // the message then remains locked in this round
        if (!fail) {
            chains.attempted(chain, next);
        }
        coordinator.discharge(transaction, fail, outcome -> {
            if (!outcome.accepted()) {
                chains.complain("Expected the discharge of " + name + " to be accepted, but got " + outcome + ".");
            } else if (fail) {
                chains.rolledBack();
            } else {
                chains.committed(chain, next);
            }
        });
    }

    @Override
    public void settled(Incoming message, Outcome outcome) {
        if (outcome.failed()) {
            chains.complain("Expected a settlement to be accepted, but got " + outcome + ".");
        }
    }

    @Override
    public void ready(SenderLink link) {
        // Sends happen when messages arrive.
    }

    @Override
    public void answered(Object context, Outcome outcome) {
        if (!outcome.accepted()) {
            chains.complain("Expected the send of " + context + " to be accepted, but got " + outcome + ".");
        }
    }

    @Override
    public void closed(AmqpException reason) {
        // The connection reports its end, too.
    }

    /** Waits until the connection is closed and all earlier replies are processed. */
    void awaitEnd() throws AmqpException, InterruptedException {
        AmqpClient.await(connection.closed());
    }

    @Override
    public void close() {
        client.close();
    }
}
