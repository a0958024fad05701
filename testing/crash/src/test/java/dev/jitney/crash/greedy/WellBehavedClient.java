package dev.jitney.crash.greedy;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The well-behaved client. It sends, receives and completes one small message after another over one connection, which
 * it never opens again. It repeats sends that are rejected because the server is busy. Any thread may read its results.
 */
final class WellBehavedClient implements AutoCloseable, SenderLink.Listener, ReceiverLink.Listener {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_SECONDS = 30;
    static final String BUSY = "com.microsoft:server-busy";
    private static final long RETRY_MS = 100;
    private static final byte[] MESSAGE = Messages.encode("trip", new byte[100]);

    private final AmqpClient client = new AmqpClient(1);
    private final ClientConnection connection;
    private final SenderLink sender;
    private final Thread thread = new Thread(this::work, "well-behaved");
    private volatile boolean stopped;
    private volatile long beganAt;
    private volatile long slowestNanos;
    private volatile long trips;
    private volatile long refusals;
    private volatile boolean isReceived;
    private volatile @Nullable String failure;
    private CompletableFuture<Void> accepted = new CompletableFuture<>();
    private CompletableFuture<Void> completed = new CompletableFuture<>();

    WellBehavedClient(Endpoint endpoint) throws AmqpException, InterruptedException {
        connection = client.open(endpoint);
        AmqpClient.await(connection.receiver(AttackedServer.MINE, 10, true, this));
        sender = AmqpClient.await(connection.sender(AttackedServer.MINE, this));
        thread.setDaemon(true);
        beganAt = System.nanoTime();
        thread.start();
    }

    /** Returns the slowest round trip since the last reset in milliseconds, including the current one. */
    long slowestMs() {
        long underWay = failure == null ? System.nanoTime() - beganAt : 0;
        return TimeUnit.NANOSECONDS.toMillis(Math.max(slowestNanos, underWay));
    }

    /** Waits for the end of the current round trip. */
    void finishTrip() {
        long under = beganAt;
        while (failure == null && beganAt == under) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns the number of round trips since the last reset. */
    long trips() {
        return trips;
    }

    /** Returns the number of sends that were rejected because the server was busy, since the last reset. */
    long refusals() {
        return refusals;
    }

    void forget() {
        refusals = 0;
        slowestNanos = 0;
        trips = 0;
    }

    /** Returns the failure of the client, or null. */
    @Nullable
    String failure() {
        return failure;
    }

    private void work() {
        try {
            while (!stopped) {
                beganAt = System.nanoTime();
                one();
                slowestNanos = Math.max(slowestNanos, System.nanoTime() - beganAt);
                trips++;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (ExecutionException e) {
            failure = String.valueOf(e.getCause());
        } catch (TimeoutException e) {
            failure = "no reply within " + PATIENCE_SECONDS + " s; its message was "
                    + (accepted.isDone() ? "" : "not ") + "accepted and " + (isReceived ? "" : "not ")
                    + "received, the completion was " + (completed.isDone() ? "" : "not ") + "confirmed";
        } catch (InterruptedException e) {
            failure = "interrupted";
        } catch (RuntimeException e) {
            failure = e.toString();
        }
    }

    private void one() throws ExecutionException, TimeoutException, InterruptedException {
        CompletableFuture<Void> both = new CompletableFuture<>();
        connection.closed().thenAccept(both::completeExceptionally);
        connection.execute(() -> {
            isReceived = false;
            accepted = new CompletableFuture<>();
            completed = new CompletableFuture<>();
            accepted.exceptionally(error -> {
                both.completeExceptionally(error);
                return null;
            });
            CompletableFuture.allOf(accepted, completed).thenAccept(both::complete);
            sender.send(MESSAGE, "trip");
        });
        both.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void ready(SenderLink link) {}

    @Override
    public void answered(Object context, Outcome outcome) {
        if (outcome.accepted()) {
            accepted.complete(null);
        } else if (BUSY.equals(outcome.condition())) {
            // The SDKs retry in the same way, after a longer wait. The retry counts for the round trip.
            refusals++;
            connection.later(() -> sender.send(MESSAGE, "trip"), RETRY_MS, TimeUnit.MILLISECONDS);
        } else {
            accepted.completeExceptionally(
                    new IllegalStateException("Expected the send to be accepted, but got " + outcome));
        }
    }

    @Override
    public void received(ReceiverLink link, Incoming message) {
        isReceived = true;
        message.complete();
    }

    @Override
    public void settled(Incoming message, Outcome outcome) {
        completed.complete(null);
    }

    @Override
    public void closed(AmqpException reason) {
        accepted.completeExceptionally(reason);
        completed.completeExceptionally(reason);
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(5));
        connection.abort();
        client.close();
    }
}
