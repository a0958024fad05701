package dev.jitney.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of all brokers of this Java machine, and the entry into it. Its parent is the platform class loader, so neither
 * side sees the libraries of the other one. It is kept, because the classes take most of the time of a first start, and because a
 * native library can be loaded by one class loader only.
 */
final class BrokerLoader {
    private static final String ROCKSDB = "org/rocksdb/RocksDB.class";
    /** The result of a start whose caller was interrupted. */
    private static final Map<String, Object> ABANDONED = Map.of();

    /** Set once and kept; guarded by the class. */
    private static @Nullable Entry entry;

    private BrokerLoader() {}

    /** The function that starts a broker, and the class loader that its classes come from. */
    private record Entry(Function<Map<String, String>, Map<String, Object>> start, ClassLoader loader, boolean files) {}

    /**
     * Starts a broker.
     *
     * @param options those of {@code EmbeddedServer} in the server
     * @return its results
     * @throws JitneyException if it cannot start
     */
    static Map<String, Object> start(Map<String, String> options) {
        Entry used = entry();
        return start(used.start(), used.loader(), options);
    }

    /**
     * Starts a broker in a thread of its own, which gives the broker's threads this context class loader, and none of the inheritable values
     * of the test. If the caller is interrupted, that thread closes the broker when it has started.
     */
    static Map<String, Object> start(
            Function<Map<String, String>, Map<String, Object>> start, ClassLoader loader, Map<String, String> options) {
        AtomicReference<@Nullable Map<String, Object>> result = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Runnable task = () -> {
            try {
                Map<String, Object> started = start.apply(options);
                if (!result.compareAndSet(null, started)) {
                    close(started);
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        };
        Thread starter = new Thread(null, task, "jitney-testkit-start", 0, false);
        starter.setContextClassLoader(loader);
        starter.setDaemon(true);
        starter.start();
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            @Nullable Map<String, Object> started = result.getAndSet(ABANDONED);
            if (started != null) {
                close(started);
            }
            throw new JitneyException("start: The thread was interrupted while the broker started.", 0, e);
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new JitneyException("start: The broker did not start: " + failed.getMessage(), 0, failed);
        }
        return Objects.requireNonNull(result.get());
    }

    private static void close(Map<String, Object> started) {
        if (started.get("close") instanceof Runnable close) {
            close.run();
        }
    }

    /** @throws JitneyException if {@code rocksdbjni} is not on the class path of the application */
    static void requireFiles() {
        if (!entry().files()) {
            throw new JitneyException(
                    "files: Expected RocksDB on the class path for a broker with files, but it is not there. Add the dependency"
                            + " org.rocksdb:rocksdbjni with the scope test, or leave out files() to keep messages in memory.");
        }
    }

    private static synchronized Entry entry() {
        Entry made = entry;
        if (made == null) {
            made = open();
            entry = made;
        }
        return made;
    }

    private static Entry open() {
        try {
            URL index = resource(BrokerJars.INDEX);
            if (index == null) {
                throw new JitneyException(
                        "start: Expected the broker on the class path, but it is not there. Add the dependency"
                                + " dev.jitney:jitney-testkit-broker in the version of jitney-testkit.");
            }
            List<URL> urls = new ArrayList<>();
            for (Path file : BrokerJars.at(index)) {
                urls.add(file.toUri().toURL());
            }
            URL rocksdb = rocksdb();
            if (rocksdb != null) {
                urls.add(rocksdb);
            }
            ClassLoader loader =
                    new URLClassLoader("jitney-broker", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            Object start = Class.forName(entryName(index), true, loader)
                    .getDeclaredConstructor()
                    .newInstance();
            @SuppressWarnings("unchecked")
            Function<Map<String, String>, Map<String, Object>> function =
                    (Function<Map<String, String>, Map<String, Object>>) start;
            return new Entry(function, loader, rocksdb != null);
        } catch (IOException e) {
            throw new JitneyException("start: The jars of the broker cannot be used: " + e.getMessage(), 0, e);
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new JitneyException(
                    "start: The broker has no entry for this test kit (" + e
                            + "). Use the same version of jitney-testkit and jitney-testkit-broker.",
                    0,
                    e);
        }
    }

    private static String entryName(URL index) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = index.openStream()) {
            properties.load(in);
        }
        return properties.getProperty("entry", "");
    }

    /** Returns the jar of RocksDB on the class path of the application, or null. */
    private static @Nullable URL rocksdb() throws IOException {
        URL found = resource(ROCKSDB);
        if (found == null) {
            return null;
        }
        if (found.getProtocol().equals("jar")) {
            return ((JarURLConnection) found.openConnection()).getJarFileURL();
        }
        try {
            String text = found.toString();
            return new URL(text.substring(0, text.length() - ROCKSDB.length()));
        } catch (MalformedURLException e) {
            return null;
        }
    }

    private static @Nullable URL resource(String name) {
        URL found = BrokerLoader.class.getClassLoader().getResource(name);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return found == null && context != null ? context.getResource(name) : found;
    }
}
