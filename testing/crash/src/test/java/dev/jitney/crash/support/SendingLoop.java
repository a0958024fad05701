package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.SenderLink;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A timer that runs a sender every two milliseconds on the event loop of its connection, so that it sends whenever
 * there is capacity.
 */
public final class SendingLoop implements Runnable {
    private static final int PAUSE_MS = 2;

    private final ClientConnection connection;
    private final SenderLink link;
    private final SenderLink.Listener sender;
    private final BooleanSupplier stopped;

    private SendingLoop(
            ClientConnection connection, SenderLink link, SenderLink.Listener sender, BooleanSupplier stopped) {
        this.connection = connection;
        this.link = link;
        this.sender = sender;
        this.stopped = stopped;
    }

    /** Attaches a sender to an address. It sends until it is stopped. */
    public static void start(
            ClientConnection connection, String address, SenderLink.Listener sender, BooleanSupplier stopped)
            throws AmqpException, InterruptedException {
        SenderLink link = AmqpClient.await(connection.sender(address, sender));
        connection.execute(new SendingLoop(connection, link, sender, stopped));
    }

    @Override
    public void run() {
        if (!stopped.getAsBoolean()) {
            sender.ready(link);
            connection.later(this, PAUSE_MS, TimeUnit.MILLISECONDS);
        }
    }
}
