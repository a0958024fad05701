package dev.jitney.crash.cluster;

import dev.jitney.crash.support.CrashLedger;
import dev.jitney.crash.support.Eventually;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.SenderLink;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client that sends one small message after another through one node, without the pauses of an SDK between attempts. So it
 * measures the time until a cluster serves again (CL-90). It also keeps account of its messages. Thread-safe.
 */
final class FailoverProbe extends CrashLedger implements AutoCloseable {
    static final String QUEUE = "probe";

    private static final long PAUSE_MS = 25;
    private static final long RETRY_MS = 10;
    /** The longest time that a node lets a connection wait for a leader is 10 s (CL-21). */
    private static final long PATIENCE_MS = 15_000;

    private static final int END_MS = 30_000;
    private static final Duration MOVE = Duration.ofMinutes(1);

    private final AmqpClient client = new AmqpClient(1);
    private final Thread thread = new Thread(this::run, "failover-probe");
    private final BitSet accepted = new BitSet();
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile int port;
    /** The port of the current connection, or 0. */
    private volatile int usedPort;
    /** Counted down when this probe is closed. */
    private final CountDownLatch ended = new CountDownLatch(1);

    /** The request that the thread waits for. */
    private String step = "";

    private int attempted;
    private int removed;
    private long lastAcceptedNanos;
    private long longestPauseNanos;
    private long acceptedWithoutMajority;
    private boolean hasMajority = true;

    /** @param port the client port of the first node to use */
    FailoverProbe(int port) {
        this.port = port;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Uses another node from the next connection on, and waits until that one is open. Otherwise a message could be on its way to a
     * node that is frozen next, and wait there.
     */
    void use(int otherPort) throws Exception {
        port = otherPort;
        Eventually.until("the probe uses port " + otherPort, MOVE, () -> usedPort == otherPort);
    }

    /** Returns the time of the last accepted send, by {@link System#nanoTime}. */
    synchronized long lastAcceptedNanos() {
        return lastAcceptedNanos;
    }

    /** Begins to measure the longest time between two accepted sends. */
    synchronized void measure() {
        lastAcceptedNanos = System.nanoTime();
        longestPauseNanos = 0;
    }

    /** Returns the longest time between two accepted sends since {@link #measure}. */
    synchronized long longestPauseNanos() {
        return longestPauseNanos;
    }

    /** Waits for the end of the current send and prevents the next one until {@link #resume}, by the same thread. */
    void halt() {
        turn.lock();
    }

    /** Ends {@link #halt}. */
    void resume() {
        turn.unlock();
    }

    /** Waits, and returns whether this probe was closed meanwhile. */
    private boolean pause(long ms) throws InterruptedException {
        return ended.await(ms, TimeUnit.MILLISECONDS);
    }

    private void run() {
        while (ended.getCount() > 0) {
            step = "the connection";
            // Read once: another port that is set while the connection is opened is that of the next one.
            int used = port;
            usedPort = 0;
            try (ClientConnection connection =
                    client.connect(Endpoint.parse("127.0.0.1:" + used)).get(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                step = "the link";
                One one = new One();
                SenderLink link = connection.sender(QUEUE, one).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
                step = "a message";
                usedPort = used;
                while (used == port && send(connection, link, one) && !pause(PAUSE_MS)) {
                    // the next message
                }
            } catch (TimeoutException e) {
                System.out.printf(
                        "     the probe got no answer to %s through port %d for %d s%n",
                        step, used, PATIENCE_MS / 1_000);
            } catch (ExecutionException e) {
                // The node has ended, or there is no leader.
            } catch (InterruptedException e) {
                return;
            }
            try {
                pause(RETRY_MS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Sends one message. Returns whether it was accepted. */
    private boolean send(ClientConnection connection, SenderLink link, One one)
            throws InterruptedException, TimeoutException {
        turn.lockInterruptibly();
        try {
            return sendNow(connection, link, one);
        } finally {
            turn.unlock();
        }
    }

    private boolean sendNow(ClientConnection connection, SenderLink link, One one)
            throws InterruptedException, TimeoutException {
        int number = begin();
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        connection.closed().thenAccept(outcome::completeExceptionally);
        connection.execute(() -> {
            one.outcome = outcome;
            if (link.canSend()) {
                link.send(Messages.encode(String.valueOf(number), new byte[100]), outcome);
            } else {
                outcome.completeExceptionally(new IllegalStateException("Expected room for a message."));
            }
        });
        try {
            if (!outcome.get(PATIENCE_MS, TimeUnit.MILLISECONDS).accepted()) {
                return false;
            }
        } catch (ExecutionException e) {
            return false;
        }
        end(number);
        return true;
    }

    private synchronized int begin() {
        return attempted++;
    }

    private synchronized void end(int number) {
        accepted.set(number);
        long now = System.nanoTime();
        longestPauseNanos = Math.max(longestPauseNanos, now - lastAcceptedNanos);
        lastAcceptedNanos = now;
        if (!hasMajority) {
            acceptedWithoutMajority++;
        }
    }

    /**
     * Records whether a majority of nodes runs. Call it with false when the others have ended, and with true before they are
     * started again. A send that is accepted between is reported (CL-10).
     */
    synchronized void majority(boolean runs) {
        if (runs && acceptedWithoutMajority > 0) {
            complain(acceptedWithoutMajority + " sends were accepted while no majority ran.");
        }
        acceptedWithoutMajority = 0;
        hasMajority = runs;
    }

    /** Compares with all messages in the queue, which are removed. Called while sending is halted. */
    synchronized void compare(List<ReceivedMessage> found) {
        BitSet stored = new BitSet();
        for (ReceivedMessage message : found) {
            int number = Integer.parseInt(String.valueOf(message.messageId()));
            if (stored.get(number)) {
                complain("Message " + number + " of the probe, which is sent once, is stored twice.");
            }
            if (number >= attempted || number < removed) {
                complain("Message " + number + " of the probe was removed before, or was never sent.");
            }
            stored.set(number);
        }
        BitSet lost = (BitSet) accepted.clone();
        lost.clear(0, removed);
        lost.andNot(stored);
        if (!lost.isEmpty()) {
            complain("Messages " + lost + " of the probe were accepted, but are lost.");
        }
        removed = attempted;
    }

    @Override
    public void close() throws InterruptedException {
        ended.countDown();
        thread.interrupt();
        thread.join(END_MS);
        client.close();
    }

    /** The listener of one link. */
    private static final class One implements SenderLink.Listener {
        private CompletableFuture<Outcome> outcome = new CompletableFuture<>();

        @Override
        public void ready(SenderLink link) {
            // Only the probe's thread sends.
        }

        @Override
        @SuppressWarnings("unchecked")
        public void answered(Object context, Outcome answer) {
            ((CompletableFuture<Outcome>) context).complete(answer);
        }

        @Override
        public void closed(AmqpException reason) {
            outcome.completeExceptionally(reason);
        }
    }
}
