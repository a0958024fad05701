package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Noise;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A link that sends whenever it has credit and its quota has a message. It encodes the message once; from one send to
 * the next, only the id, the body and the stamp in the last eight bytes change in place. Runs on the event loop of its
 * connection.
 */
final class SendingLink implements SenderLink.Listener {
    static final int STAMP_BYTES = 8;
    private static final String ID = "bench-" + "0".repeat(26);
    private static final int ID_DIGITS = 12;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Quota quota;
    private final Tally tally;
    private final int inFlight;
    private final int sizeBytes;
    private final byte[] message;
    private final ByteBuffer stamped;
    private final int idEnd;

    /** The source of permits to send. */
    interface Quota {
        long NOTHING = Long.MIN_VALUE;

        /**
         * Takes one message and returns its planned send time in terms of {@link System#nanoTime}, or {@link #NOTHING}
         * if no message is due.
         */
        long take();
    }

    SendingLink(Quota quota, Tally tally, Map<String, Object> properties, int sizeBytes, int inFlight) {
        this.quota = quota;
        this.tally = tally;
        this.inFlight = inFlight;
        this.sizeBytes = sizeBytes;
        this.message = Messages.encodeDurable(ID, new byte[sizeBytes], properties);
        this.stamped = ByteBuffer.wrap(message);
        this.idEnd = Messages.find(message, ID) + ID.length();
    }

    @Override
    public void ready(SenderLink link) {
        while (link.unanswered() < inFlight && link.canSend()) {
            long intended = quota.take();
            if (intended == Quota.NOTHING) {
                return;
            }
            long id = tally.started.getAndIncrement();
            number(id);
            Noise.fill(message, message.length - sizeBytes, sizeBytes - STAMP_BYTES, id);
            stamped.putLong(message.length - STAMP_BYTES, intended);
            link.send(message, intended);
        }
    }

    @Override
    public void answered(Object context, Outcome outcome) {
        if (outcome.accepted()) {
            tally.acceptedAfter(System.nanoTime() - (Long) context);
        } else {
            tally.refused.increment();
            tally.trouble("A send was refused: " + outcome);
        }
    }

    @Override
    public void closed(AmqpException reason) {
        tally.trouble("A sending link was closed: " + reason.getMessage());
    }

    private void number(long id) {
        long rest = id;
        for (int i = 1; i <= ID_DIGITS; i++) {
            message[idEnd - i] = HEX[(int) (rest & 15)];
            rest >>>= 4;
        }
    }
}
