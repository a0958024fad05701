package dev.jitney.testing.amqp;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stream of bytes that arrive in pieces on any thread, for a client that only knows sockets. One thread reads. */
public class ReceivedOctets extends InputStream {
    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final BlockingQueue<ByteBuffer> received = new LinkedBlockingQueue<>();
    private ByteBuffer current = ByteBuffer.allocate(0);
    private volatile long timeoutMs = Long.MAX_VALUE;

    /** Adds the next piece; it belongs to the stream from now on. */
    public final void add(ByteBuffer piece) {
        if (piece.hasRemaining()) {
            received.add(piece);
        }
    }

    /** Ends the stream. */
    public final void end() {
        received.add(END);
    }

    /** Sets the time that a read waits, in milliseconds. */
    public final void timeout(long ms) {
        timeoutMs = ms;
    }

    /** Called when the given number of bytes were read. */
    protected void consumed(int octets) {}

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public final int read(byte[] into, int at, int count) throws IOException {
        while (!current.hasRemaining()) {
            ByteBuffer next = next();
            if (next == END) {
                received.add(END);
                return -1;
            }
            current = next;
        }
        int read = Math.min(count, current.remaining());
        current.get(into, at, read);
        consumed(read);
        return read;
    }

    private ByteBuffer next() throws IOException {
        try {
            ByteBuffer next = received.poll(timeoutMs, TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new SocketTimeoutException("nothing in " + timeoutMs + " ms");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
