package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Noise;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A fill of a queue with messages, pipelined over one link: the same number for each of a range of sessions, one round
 * after another.
 */
public final class SessionFill implements SenderLink.Listener {
    private static final int IN_FLIGHT = 1_000;
    private static final String ID = "0".repeat(12);
    private static final long PATIENCE_MINUTES = 60;

    private final boolean withSessions;
    private final long first;
    private final long sessions;
    private final long count;
    private final byte[] message;
    private final int bodyBytes;
    private final int messageAt;
    private final int sessionAt;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();
    private long sent;
    private long answered;

    private SessionFill(boolean withSessions, long first, long sessions, int messagesPerSession, int bodyBytes) {
        this.withSessions = withSessions;
        this.first = first;
        this.sessions = sessions;
        this.count = sessions * messagesPerSession;
        this.bodyBytes = bodyBytes;
        String messageId = "m" + ID;
        String sessionId = "s" + ID;
        this.message = withSessions
                ? Messages.encodeOf(sessionId, messageId, new byte[bodyBytes])
                : Messages.encode(messageId, new byte[bodyBytes]);
        this.messageAt = Messages.find(message, messageId) + 1;
        this.sessionAt = withSessions ? Messages.find(message, sessionId) + 1 : 0;
    }

    /**
     * Sends the messages and waits until all are accepted.
     *
     * @param first number of the first session
     * @return messages per second
     * @throws IOException if a send is refused or does not end
     */
    public static double run(
            Endpoint endpoint,
            String queue,
            boolean withSessions,
            long first,
            long sessions,
            int messagesPerSession,
            int bodyBytes)
            throws AmqpException, IOException, InterruptedException {
        SessionFill fill = new SessionFill(withSessions, first, sessions, messagesPerSession, bodyBytes);
        try (AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(endpoint);
            SenderLink link = AmqpClient.await(connection.sender(queue, fill));
            long start = System.nanoTime();
            connection.execute(() -> fill.ready(link));
            connection.closed().thenAccept(reason -> fill.end(reason.getMessage()));
            boolean ended = fill.done.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
            double seconds = (System.nanoTime() - start) / 1e9;
            String why = ended
                    ? fill.trouble.get()
                    : "Expected the fill to end within " + PATIENCE_MINUTES + " minutes, but it still runs.";
            if (why != null) {
                throw new IOException("Filling '" + queue + "' failed: " + why);
            }
            return fill.count / seconds;
        }
    }

    @Override
    public void ready(SenderLink link) {
        while (sent < count && link.unanswered() < IN_FLIGHT && link.canSend()) {
            digits(messageAt, first * count + sent);
            if (withSessions) {
                digits(sessionAt, first + sent % sessions);
            }
            Noise.fill(message, message.length - bodyBytes, bodyBytes, sent);
            link.send(message, this);
            sent++;
        }
    }

    @Override
    public void answered(Object context, Outcome outcome) {
        if (!outcome.accepted()) {
            end("A send was refused: " + outcome);
        } else if (++answered == count) {
            done.countDown();
        }
    }

    @Override
    public void closed(AmqpException reason) {
        end("The link was closed: " + reason.getMessage());
    }

    private void end(@Nullable String why) {
        if (done.getCount() > 0) {
            trouble.compareAndSet(null, why);
            done.countDown();
        }
    }

    private void digits(int at, long number) {
        long rest = number;
        for (int i = ID.length() - 1; i >= 0; i--) {
            message[at + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
