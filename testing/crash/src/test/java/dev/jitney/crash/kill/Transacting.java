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

/** Moves chains on, one transaction per step and many at a time, until the connection ends. */
final class Transacting implements AutoCloseable, ReceiverLink.Listener, SenderLink.Listener {
    private final Chains chains;
    private final Random random;
    private final AmqpClient client = new AmqpClient(1);
    private final ClientConnection connection;
    private final List<SenderLink> senders = new ArrayList<>();
    private final CoordinatorLink coordinator;

    /** @param queues IN and those that get notes */
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
        boolean fail = random.nextInt(1_000) == 0; // the message stays locked then, for this round
        if (!fail) {
            chains.attempted(chain, next);
        }
        coordinator.discharge(transaction, fail, outcome -> {
            if (!outcome.accepted()) {
                chains.complain("The discharge of " + name + " was answered with " + outcome + ".");
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
            chains.complain("A settlement was answered with " + outcome + ".");
        }
    }

    @Override
    public void ready(SenderLink link) {
        // Everything is sent from where messages come in.
    }

    @Override
    public void answered(Object context, Outcome outcome) {
        if (!outcome.accepted()) {
            chains.complain("The send of " + context + " was answered with " + outcome + ".");
        }
    }

    @Override
    public void closed(AmqpException reason) {
        // The connection says so, too.
    }

    /** Waits until the connection is known to be over, with everything that came before that. */
    void awaitEnd() throws AmqpException, InterruptedException {
        AmqpClient.await(connection.closed());
    }

    @Override
    public void close() {
        client.close();
    }
}
