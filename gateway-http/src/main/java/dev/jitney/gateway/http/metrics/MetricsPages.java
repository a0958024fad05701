package dev.jitney.gateway.http.metrics;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Has pages made by a thread of its own, one at a time: who asks for a page that is being made waits for that one. A page
 * is given out again until nine times as long has passed as it took to make, so that asking often costs a tenth of a core
 * at most. Any thread may call it.
 */
/*
 * Pages are kept compressed: the text of ten thousand entities is twenty megabytes, of which a twentieth is left.
 */
final class MetricsPages {
    private static final int REST_FACTOR = 9;

    private final MetricsSource source;
    private final WorkerExecutor worker;
    private final Map<Key, Future<Page>> making = new HashMap<>();
    private final Map<Key, Page> made = new HashMap<>();

    /** As many as formats times namespaces. */
    private record Key(MetricsFormat format, @Nullable String namespace) {}

    /**
     * A page.
     *
     * @param gzip its text, compressed
     * @param textBytes length of the text
     * @param staleNanos from when on, by the machine's steady clock, a new one is to be made
     */
    record Page(byte[] gzip, long textBytes, long staleNanos) {}

    MetricsPages(Vertx vertx, MetricsSource source) {
        this.source = source;
        this.worker = vertx.createSharedWorkerExecutor("jitney-metrics", 1);
    }

    /**
     * A page, new or as good as new.
     *
     * @param namespace the only namespace to be told about; null for all of them
     */
    synchronized Future<Page> page(MetricsFormat format, @Nullable String namespace) {
        Key key = new Key(format, namespace);
        Page last = made.get(key);
        if (last != null && System.nanoTime() - last.staleNanos < 0) {
            return Future.succeededFuture(last);
        }
        Future<Page> running = making.get(key);
        if (running != null) {
            return running;
        }
        Future<Page> next = worker.executeBlocking(() -> make(key));
        making.put(key, next);
        next.onComplete(done -> finished(key, done.succeeded() ? done.result() : null));
        return next;
    }

    private synchronized void finished(Key key, @Nullable Page page) {
        making.remove(key);
        if (page != null) {
            made.put(key, page);
        }
    }

    private Page make(Key key) throws IOException {
        long startNanos = System.nanoTime();
        ByteArrayOutputStream gzip = new ByteArrayOutputStream(16 * 1024);
        long textBytes;
        try (CountingStream text = new CountingStream(new FastGzip(gzip))) {
            source.write(key.format, key.namespace, text);
            textBytes = text.count;
        }
        long nowNanos = System.nanoTime();
        return new Page(gzip.toByteArray(), textBytes, nowNanos + REST_FACTOR * (nowNanos - startNanos));
    }

    /** Metrics repeat themselves so much that the fastest compression does. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 16 * 1024);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    private static final class CountingStream extends FilterOutputStream {
        private long count;

        CountingStream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            count++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            count += length;
        }
    }
}
