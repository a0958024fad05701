package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.jspecify.annotations.Nullable;

/** Receivers that repeat a round trip: accept the next session, receive one message, complete it, close. */
public final class SessionTrips {
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final long PATIENCE_MINUTES = 60;

    private final ClientConnection connection;
    private final String queue;
    private final AtomicInteger left;
    private final CountDownLatch done;
    private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();
    private final Histogram micros = new SynchronizedHistogram(MAX_MICROS, 3);

    /**
     * The result of the round trips.
     *
     * @param micros time of one round trip, in microseconds
     */
    public record Result(Histogram micros, double perSecond) {}

    private SessionTrips(ClientConnection connection, String queue, int trips, int receivers) {
        this.connection = connection;
        this.queue = queue;
        this.left = new AtomicInteger(trips);
        this.done = new CountDownLatch(receivers);
    }

    /**
     * Makes the given number of round trips.
     *
     * @param receivers number of receivers at the same time
     * @throws IOException if a round trip fails
     */
    public static Result run(Endpoint endpoint, String queue, int trips, int receivers)
            throws AmqpException, IOException, InterruptedException {
        try (AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(endpoint);
            SessionTrips all = new SessionTrips(connection, queue, trips, receivers);
            connection.closed().thenAccept(reason -> all.fail("The connection was closed: " + reason.getMessage()));
            long start = System.nanoTime();
            connection.execute(
                    () -> { // assigned here, so that no message arrives before its link is known
                        for (int i = 0; i < receivers; i++) {
                            all.next();
                        }
                    });
            boolean ended = all.done.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
            double seconds = (System.nanoTime() - start) / 1e9;
            String why = ended
                    ? all.trouble.get()
                    : "Expected the round trips to end within " + PATIENCE_MINUTES + " minutes, but they still run.";
            if (why != null) {
                throw new IOException(why);
            }
            return new Result(all.micros, trips / seconds);
        }
    }

    private void next() {
        if (left.getAndDecrement() <= 0) {
            done.countDown();
            return;
        }
        Trip trip = new Trip(System.nanoTime());
        connection.sessionReceiver(queue, null, 1, trip).whenComplete((link, refused) -> {
            if (refused != null) {
                fail("A session was not accepted: " + refused.getMessage());
            } else {
                trip.link = link;
            }
        });
    }

    private void fail(String why) {
        if (trouble.compareAndSet(null, why)) {
            left.set(0);
            while (done.getCount() > 0) {
                done.countDown();
            }
        }
    }

    /** A round trip with one session. */
    private final class Trip implements ReceiverLink.Listener {
        private final long startNanos;
        private @Nullable ReceiverLink link;
        private boolean completed;

        Trip(long startNanos) {
            this.startNanos = startNanos;
        }

        @Override
        public void received(ReceiverLink from, Incoming message) {
            from.pause();
            message.complete();
        }

        @Override
        public void settled(Incoming message, Outcome outcome) {
            ReceiverLink own = link;
            if (outcome.failed() || own == null) {
                fail("A completion was refused: " + outcome);
            } else {
                completed = true;
                own.close();
            }
        }

        @Override
        public void closed(AmqpException reason) {
            if (completed) {
                micros.recordValue(Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos)));
                next();
            } else {
                fail("A session was lost: " + reason.getMessage());
            }
        }
    }
}
