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
 * The cache of pages, created by a thread of its own, one at a time. Requests for a page in progress wait for it. A
 * page is reused for nine times as long as its creation took, so that frequent requests use at most a tenth of a core.
 * Any thread may call it.
 */
/*
 * Pages are stored compressed: the text of ten thousand entities is twenty megabytes, which shrink to a twentieth.
 */
final class MetricsPages {
    private static final int REST_FACTOR = 9;

    private final MetricsSource source;
    private final WorkerExecutor worker;
    private final Map<Key, Future<Page>> making = new HashMap<>();
    private final Map<Key, Page> made = new HashMap<>();

    /** The key of a page; there are as many as formats times namespaces. */
    private record Key(MetricsFormat format, @Nullable String namespace) {}

    /**
     * A page.
     *
     * @param gzip its text, compressed
     * @param textBytes length of the text
     * @param staleNanos time by the monotonic clock from which on a new page is created
     */
    record Page(byte[] gzip, long textBytes, long staleNanos) {}

    MetricsPages(Vertx vertx, MetricsSource source) {
        this.source = source;
        this.worker = vertx.createSharedWorkerExecutor("jitney-metrics", 1);
    }

    /**
     * Returns a page, new or recent.
     *
     * @param namespace the only namespace on the page; null for all of them
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

    /** A stream with the fastest compression, which is enough for repetitive text. */
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
