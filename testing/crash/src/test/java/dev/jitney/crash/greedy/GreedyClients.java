package dev.jitney.crash.greedy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The connections of one attack, all on the calling thread, with one shared read buffer. */
final class GreedyClients implements AutoCloseable {
    private static final int READ_BYTES = 128 * 1024;
    private static final int CONNECTING_MAX = 100;
    /** The interval in milliseconds after which waiting conditions are checked again. */
    private static final long SELECT_MS = 20;

    private static final int QUIET_TRIPS = 8;

    private final Selector selector;
    private final List<Peer> peers = new ArrayList<>();
    private final ByteBuffer shared = ByteBuffer.allocateDirect(READ_BYTES);
    private int refused;

    GreedyClients() throws IOException {
        selector = Selector.open();
    }

    /** Adds connections that follow a script. They connect and run during {@link #run}. */
    void add(int count, int port, Script script) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            if (script.receiveBufferBytes() > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, script.receiveBufferBytes());
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            try {
                channel.connect(new InetSocketAddress("127.0.0.1", port));
            } catch (IOException full) {
                refused++;
                channel.close();
                continue;
            }
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            Peer peer = new Peer(channel, key, script);
            key.attach(peer);
            peers.add(peer);
            if (i % CONNECTING_MAX == CONNECTING_MAX - 1) {
                turn();
            }
        }
    }

    /**
     * Runs all connections until there is no traffic for a time in which the well-behaved client makes progress, or
     * until the time limit.
     *
     * @param trips returns the number of round trips of the well-behaved client, because a stalled server is not done
     */
    void run(long millis, long quietMillis, LongSupplier trips) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long moved = moved();
        long movedAt = System.nanoTime();
        long tripsThen = trips.getAsLong();
        while (System.nanoTime() < deadline) {
            turn();
            long now = moved();
            if (now != moved) {
                moved = now;
                movedAt = System.nanoTime();
                tripsThen = trips.getAsLong();
            } else if (System.nanoTime() - movedAt > TimeUnit.MILLISECONDS.toNanos(quietMillis)
                    && trips.getAsLong() - tripsThen >= QUIET_TRIPS) {
                return;
            }
        }
    }

    private void turn() throws IOException {
        selector.select(key -> ((Peer) key.attachment()).ready(shared), SELECT_MS);
    }

    private long moved() {
        return peers.stream()
                .mapToLong(peer -> peer.writtenBytes()
                        + peer.readBytes()
                        + (peer.isConnected() ? 1 : 0)
                        + (peer.end() == null ? 0 : 1))
                .sum();
    }

    List<Peer> peers() {
        return peers;
    }

    /** Returns whether the server has sent nothing to any of them. Then the attack had no effect. */
    boolean isUnanswered() {
        return peers.stream().allMatch(peer -> peer.readBytes() == 0 && peer.end() == null && !peer.isThrough());
    }

    /** Returns the results in one line. */
    @Override
    public String toString() {
        long written = peers.stream().mapToLong(Peer::writtenBytes).sum();
        long read = peers.stream().mapToLong(Peer::readBytes).sum();
        long through = peers.stream().filter(Peer::isThrough).count();
        long over = peers.stream().filter(peer -> peer.end() != null).count();
        Map<String, Long> complaints = peers.stream()
                .filter(peer -> !peer.complaint().isEmpty())
                .collect(Collectors.groupingBy(Peer::complaint, Collectors.counting()));
        String most = complaints.entrySet().stream()
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .map(entry -> ", " + entry.getValue() + " got the error: " + shortened(entry.getKey()))
                .orElse("");
        return "%d connections, %d finished, %d closed by the server%s, %d MB written, %d MB read%s"
                .formatted(
                        peers.size(),
                        through,
                        over,
                        refused == 0 ? "" : ", " + refused + " not accepted",
                        written >> 20,
                        read >> 20,
                        most);
    }

    private static String shortened(String text) {
        return text.length() < 110 ? text : text.substring(0, 110) + "...";
    }

    @Override
    public void close() throws IOException {
        peers.forEach(Peer::close);
        selector.close();
    }
}
