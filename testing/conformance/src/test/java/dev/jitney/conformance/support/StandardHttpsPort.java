package dev.jitney.conformance.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Port 443 of the loopback interface, which clients use unless another port can be configured. If it is not available,
 * tests that need it are skipped, or fail if {@code JITNEY_CI} is true. One process at a time holds it: the others wait for
 * a lock on a file.
 */
final class StandardHttpsPort implements AutoCloseable {
    static final int NUMBER = 443;

    /** The time to wait in seconds, because another build on this machine may use the port. */
    private static final long PATIENCE_SECONDS = 90;

    private static final Path LOCK = Path.of(System.getProperty("java.io.tmpdir"), "jitney-tests-port-443.lock");

    private final FileChannel lock;

    private StandardHttpsPort(FileChannel lock) {
        this.lock = lock;
    }

    /** Returns when no other process of these tests holds the port and it can be bound. Skips the test if it cannot. */
    static StandardHttpsPort hold() {
        try {
            FileChannel file = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                file.lock();
                awaitFree();
                return new StandardHttpsPort(file);
            } catch (IOException | RuntimeException | Error e) {
                file.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitFree() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String trouble = trouble();
        while (trouble != null && !trouble.contains("denied") && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            trouble = trouble();
        }
        if (trouble == null) {
            return;
        }
        String missing = "The clients of this test dial port 443, and it cannot be bound on 127.0.0.1 (" + trouble
                + "). Run the tests as root, or allow it: sysctl net.ipv4.ip_unprivileged_port_start=443.";
        if ("true".equals(System.getenv("JITNEY_CI"))) {
            throw new AssertionError(missing + " Free the port: in CI this test must not be skipped.");
        }
        Assumptions.abort(missing);
    }

    private static @Nullable String trouble() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), NUMBER));
            return null;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
