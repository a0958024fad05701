package dev.jitney.crash.greedy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection of a greedy client, which follows a script. It runs on the thread of its {@link GreedyClients}. */
final class Peer {
    /** The number of bytes written before another connection has its turn. */
    private static final int TURN_BYTES = 512 * 1024;

    private final SocketChannel channel;
    private final SelectionKey key;
    private boolean webSocket;
    private final Iterator<Script.Step> steps;
    private final Deque<ByteBuffer> unwritten = new ArrayDeque<>();
    private final FrameScan scan;
    private Script.@Nullable Step step;
    private boolean reading = true;
    private boolean connected;
    private long writtenBytes;
    private long readBytes;
    private @Nullable String end;

    Peer(SocketChannel channel, SelectionKey key, Script script) {
        this.channel = channel;
        this.key = key;
        this.webSocket = script.protocol() == Script.Protocol.WEB_SOCKET;
        this.scan = new FrameScan(script.protocol());
        this.steps = script.steps().iterator();
    }

    /** Returns the number of received performatives with a descriptor. */
    int seen(int descriptor) {
        return scan.seen(descriptor);
    }

    /** Returns the transaction that the server has declared. */
    byte[] transaction() {
        return scan.transaction();
    }

    boolean isConnected() {
        return connected;
    }

    boolean isUpgraded() {
        return scan.isUpgraded();
    }

    long readBytes() {
        return readBytes;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    /** Returns whether the script is finished. */
    boolean isThrough() {
        return step == null && unwritten.isEmpty() && !steps.hasNext();
    }

    /** Returns the reason for the end of the connection, or null. */
    @Nullable
    String end() {
        return end;
    }

    /** Returns the last error of the server. */
    String complaint() {
        return scan.complaint();
    }

    void stopReading() {
        reading = false;
    }

    /** Writes the next bytes without WebSocket frame heads. */
    void writeUnframed() {
        webSocket = false;
    }

    void ready(ByteBuffer shared) {
        try {
            if (key.isConnectable()) {
                connected = channel.finishConnect();
            }
            if (key.isReadable() && reading) {
                read(shared);
            }
            if (end == null) {
                write();
            }
        } catch (IOException e) {
            over(String.valueOf(e.getMessage()));
        }
    }

    private void read(ByteBuffer shared) throws IOException {
        shared.clear();
        int read = channel.read(shared);
        if (read < 0) {
            over("closed");
            return;
        }
        readBytes += read;
        scan.take(shared.flip());
    }

    private void write() throws IOException {
        int inTurn = 0;
        while (inTurn < TURN_BYTES && fill()) {
            ByteBuffer next = unwritten.getFirst();
            int written = channel.write(next);
            inTurn += written;
            writtenBytes += written;
            if (next.hasRemaining()) {
                break;
            }
            unwritten.removeFirst();
        }
        int interest = reading ? SelectionKey.OP_READ : 0;
        key.interestOps(unwritten.isEmpty() && !fill() ? interest : interest | SelectionKey.OP_WRITE);
    }

    /** Queues the bytes of the next steps. Returns whether there are any. */
    private boolean fill() {
        while (unwritten.isEmpty()) {
            if (step == null) {
                if (!steps.hasNext()) {
                    return false;
                }
                step = steps.next();
            }
            if (!step.ready().test(this)) {
                return false;
            }
            queue(step.bytes());
            queue(step.made().apply(this));
            step = null;
        }
        return true;
    }

    private void queue(List<ByteBuffer> bytes) {
        if (bytes.isEmpty()) {
            return;
        }
        if (webSocket && scan.isUpgraded()) {
            long size = bytes.stream().mapToLong(ByteBuffer::remaining).sum();
            unwritten.add(WebSocketHeads.binary(size));
        }
        bytes.forEach(part -> unwritten.add(part.duplicate()));
    }

    private void over(String why) {
        end = why;
        close();
    }

    /** Closes the connection with a TCP reset. */
    void close() {
        try {
            key.cancel();
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException alreadyGone) {
            // The connection is already closed.
        }
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // The connection is already closed.
        }
    }
}
