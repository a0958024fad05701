package dev.jitney.gateway.http.metrics;

import dev.jitney.gateway.http.exchange.Exchange;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * The transfer of a compressed page as plain text, in pieces as the client reads them: the whole text is never in
 * memory. For the event loop of the exchange.
 */
final class PlainText {
    private static final int PIECE_BYTES = 32 * 1024;

    /** Memory of a piece, the pieces in transit, and the tables of the decompression. */
    private static final int HELD_BYTES = 192 * 1024;

    /** Maximum time for a client to read the pieces in transit. */
    private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(60);

    private final Vertx vertx;
    private final Exchange exchange;
    private final InputStream text;
    private final byte[] piece = new byte[PIECE_BYTES];
    private long watch = -1;

    private PlainText(Vertx vertx, Exchange exchange, InputStream text) {
        this.vertx = vertx;
        this.exchange = exchange;
        this.text = text;
    }

    /** @param textBytes length of the text */
    static void send(Vertx vertx, Exchange exchange, byte[] gzip, long textBytes) {
        if (!exchange.beginPieces(HELD_BYTES + gzip.length, textBytes)) {
            exchange.response().headers().remove(HttpHeaders.CONTENT_LENGTH);
            exchange.refuse(Exchange.OUT_OF_MEMORY);
            return;
        }
        try {
            PlainText sending = new PlainText(vertx, exchange, new GZIPInputStream(new ByteArrayInputStream(gzip)));
            exchange.whenEnded(sending::unwatch);
            sending.pump();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the data was compressed by this process
        }
    }

    private void pump() throws IOException {
        unwatch();
        HttpServerResponse response = exchange.response();
        while (!exchange.isOver()) {
            int length = text.readNBytes(piece, 0, piece.length);
            if (length == 0) {
                response.end();
                return;
            }
            response.write(Buffer.buffer(length).appendBytes(piece, 0, length));
            if (response.writeQueueFull()) {
                watch = vertx.setTimer(
                        PATIENCE_MS, late -> exchange.request().connection().close());
                response.drainHandler(drained -> exchange.guarded(this::resume));
                return;
            }
        }
    }

    private void resume() {
        try {
            pump();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unwatch() {
        if (watch >= 0) {
            vertx.cancelTimer(watch);
            watch = -1;
        }
    }
}
