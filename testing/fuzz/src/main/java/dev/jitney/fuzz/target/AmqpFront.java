package dev.jitney.fuzz.target;

import dev.jitney.fuzz.input.Frames;
import dev.jitney.fuzz.input.Prelude;
import dev.jitney.fuzz.server.AmqpClientEnd;
import dev.jitney.fuzz.server.FuzzedBroker;
import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.amqp.AmqpGatewayOptions;
import dev.jitney.server.identity.FuzzedIdentities;
import dev.jitney.testing.amqp.Code;

/** A broker behind its AMQP gateway, and the rules that every answer must follow. Created again from time to time. */
final class AmqpFront implements ServerTarget.Front {
    static final long PATIENCE_MS = 15_000;
    private static final int INPUTS_PER_LIFE = 20_000;

    private FuzzedBroker broker;
    private AmqpGateway gateway;
    private int inputs;

    AmqpFront() throws Exception {
        broker = new FuzzedBroker();
        gateway = start(broker);
    }

    private static AmqpGateway start(FuzzedBroker broker) {
        AmqpGateway gateway = new AmqpGateway(
                broker.broker(),
                AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1).withAdmission(FuzzedIdentities.admission()));
        gateway.start();
        return gateway;
    }

    FuzzedBroker broker() {
        return broker;
    }

    /** Opens a new connection. */
    AmqpClientEnd connect() throws Exception {
        if (++inputs % INPUTS_PER_LIFE == 0) {
            close();
            broker = new FuzzedBroker();
            gateway = start(broker);
        }
        return AmqpClientEnd.open(gateway);
    }

    /** Opens a session as a valid client does, and checks the bystander. */
    @Override
    public void check() throws Exception {
        broker.restore();
        broker.checkBystander();
        AmqpClientEnd client = AmqpClientEnd.open(gateway);
        client.send(Frames.join(Prelude.OPENED, Frames.begin(7)));
        if (!awaitBegin(client, 7)) {
            throw new AssertionError("Expected an answer for a valid client, but got none.");
        }
        client.leave();
        client.awaitClose(PATIENCE_MS);
    }

    /** Waits until the session of that channel is answered. Returns false if the connection was closed instead. */
    static boolean awaitBegin(AmqpClientEnd client, int channel) throws Exception {
        while (true) {
            byte[] received = client.received();
            for (AmqpAnswer answer : AmqpAnswer.all(received)) {
                if (answer.code() == Code.BEGIN && answer.isField(0, channel)) {
                    return true;
                }
            }
            if (client.isClosed()) {
                return false;
            }
            if (!client.awaitMore(received.length, PATIENCE_MS)) {
                throw new AssertionError("Expected an answer or the end of the connection, but got neither within "
                        + PATIENCE_MS + " ms.");
            }
        }
    }

    /** Ends a connection. The gateway must release it soon, and all its output must be AMQP. */
    static void leave(AmqpClientEnd client) throws Exception {
        client.leave();
        if (!client.awaitClose(PATIENCE_MS)) {
            throw new AssertionError("Expected the gateway to release a disconnected client, but it did not.");
        }
        for (AmqpAnswer answer : AmqpAnswer.all(client.received())) {
            answer.checkError();
        }
    }

    @Override
    public void close() {
        gateway.close();
        broker.close();
    }
}
