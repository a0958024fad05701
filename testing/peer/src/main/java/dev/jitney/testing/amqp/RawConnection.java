package dev.jitney.testing.amqp;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A socket with the frames that arrived over it. One thread reads. The test thread takes frames in any order, by a
 * predicate, and waits at most {@link #PATIENCE}.
 */
public final class RawConnection implements AutoCloseable {

    /** The time within which an expected frame must arrive. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Socket socket;
    private final List<byte[]> headers = new ArrayList<>();
    private final List<RawFrame> unread = new ArrayList<>();
    private final List<RawFrame> all = new ArrayList<>();
    private @Nullable String end;

    public RawConnection(int port) {
        this(plain(port));
    }

    public RawConnection(Socket connected) {
        socket = connected;
        Thread reader = new Thread(this::read, "raw-peer-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private static Socket plain(int port) {
        try {
            Socket socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress("127.0.0.1", port), (int) PATIENCE.toMillis());
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends bytes unchanged. */
    public void send(byte[] octets) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(octets);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends {@code AMQP protocol 1 0 0}. */
    public void sendHeader(int protocol) {
        send(new byte[] {'A', 'M', 'Q', 'P', (byte) protocol, 1, 0, 0});
    }

    /** Sends one frame with the given encoded values and bytes as its body. */
    public void sendFrame(int type, int channel, byte[]... parts) {
        send(frame(type, channel, parts));
    }

    /** Returns the bytes of a frame. */
    public static byte[] frame(int type, int channel, byte[]... parts) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            body.writeBytes(part);
        }
        return ByteBuffer.allocate(8 + body.size())
                .putInt(8 + body.size())
                .put((byte) 2)
                .put((byte) type)
                .putShort((short) channel)
                .put(body.toByteArray())
                .array();
    }

    private void read() {
        String why = "end of stream";
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] first = new byte[4];
            while (true) {
                int octet = in.read();
                if (octet < 0) {
                    break;
                }
                first[0] = (byte) octet;
                in.readFully(first, 1, 3);
                if (first[0] == 'A' && first[1] == 'M' && first[2] == 'Q' && first[3] == 'P') {
                    byte[] header = new byte[8];
                    System.arraycopy(first, 0, header, 0, 4);
                    in.readFully(header, 4, 4);
                    synchronized (this) {
                        headers.add(header);
                        notifyAll();
                    }
                    continue;
                }
                int size = ByteBuffer.wrap(first).getInt();
                byte[] frame = new byte[size];
                System.arraycopy(first, 0, frame, 0, 4);
                in.readFully(frame, 4, size - 4);
                RawFrame parsed = RawFrame.parse(frame);
                synchronized (this) {
                    unread.add(parsed);
                    all.add(parsed);
                    notifyAll();
                }
            }
        } catch (IOException | RuntimeException e) {
            why = e.toString();
        }
        synchronized (this) {
            end = why;
            notifyAll();
        }
    }

    /** Returns the next protocol header of the server. */
    public synchronized byte[] awaitHeader() {
        waitFor("a protocol header", PATIENCE, () -> !headers.isEmpty());
        return headers.remove(0);
    }

    /** Takes the first frame that matches, and waits for it if necessary. */
    public RawFrame await(String what, Predicate<RawFrame> fits) {
        return await(what, PATIENCE, fits);
    }

    public synchronized RawFrame await(String what, Duration patience, Predicate<RawFrame> fits) {
        @Nullable RawFrame[] found = new RawFrame[1];
        waitFor(what, patience, () -> {
            found[0] = take(fits);
            return found[0] != null;
        });
        return Objects.requireNonNull(found[0]);
    }

    /** Takes the first frame that matches if it has already arrived. */
    public synchronized @Nullable RawFrame poll(Predicate<RawFrame> fits) {
        return take(fits);
    }

    private @Nullable RawFrame take(Predicate<RawFrame> fits) {
        for (Iterator<RawFrame> i = unread.iterator(); i.hasNext(); ) {
            RawFrame frame = i.next();
            if (fits.test(frame)) {
                i.remove();
                return frame;
            }
        }
        return null;
    }

    /** Waits until the server has closed the socket. */
    public synchronized void awaitEnd(Duration patience) {
        waitFor("the end of the connection", patience, () -> end != null);
    }

    public synchronized boolean hasEnded() {
        return end != null;
    }

    /** Returns all frames that have arrived so far. */
    public synchronized List<RawFrame> frames() {
        return List.copyOf(all);
    }

    private interface Condition {
        boolean holds();
    }

    /** Waits for a condition. Called with the monitor held. */
    private void waitFor(String what, Duration patience, Condition condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.holds()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            boolean over = end != null;
            if (left <= 0 || over) {
                throw new AssertionError("Expected " + what + ", but "
                        + (over ? "the connection ended (" + end + ")" : "nothing arrived within " + patience)
                        + "; unread frames: " + unread);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting for " + what, e);
            }
        }
    }

    /** Closes the socket as a crash would. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
