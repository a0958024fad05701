package dev.jitney.gateway.http.exchange;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * A reader of one request's body, with limits.
 *
 * <p>Jitney reads and drops a limited number of bytes above the limit, so that the sender sees the response; most
 * clients read no response before they have written everything. After that, the connection is closed. For the event
 * loop of the request.
 */
final class RequestBody {
    private static final String CONTINUE = "100-continue";

    private final HttpServerRequest request;
    private final int bytesMax;
    private final HttpError tooLarge;
    private final int surplusBytesMax;
    private final HttpConnections connections;
    private final HttpPeer peer;
    private final Promise<Buffer> done = Promise.promise();
    private Buffer body = Buffer.buffer();
    private long received;
    private @Nullable HttpError problem;

    /** Creates a reader whose body stays in memory until {@link #release}. */
    RequestBody(
            HttpServerRequest request,
            int bytesMax,
            HttpError tooLarge,
            int surplusBytesMax,
            HttpConnections connections,
            HttpPeer peer) {
        this.request = request;
        this.bytesMax = bytesMax;
        this.tooLarge = tooLarge;
        this.surplusBytesMax = surplusBytesMax;
        this.connections = connections;
        this.peer = peer;
    }

    /** Reads the body. Fails with {@link RefusedException}, or with {@link ClientGoneException}. */
    Future<Buffer> read() {
        long announced = announced();
        if (announced > (long) bytesMax + surplusBytesMax) {
            return Future.failedFuture(tooLarge(true));
        }
        if (request.isEnded()) {
            return Future.succeededFuture(body);
        }
        String expectation = request.getHeader(HttpHeaders.EXPECT);
        if (expectation != null) {
            if (!expectation.equalsIgnoreCase(CONTINUE)) {
                return Future.failedFuture(new RefusedException(
                        new HttpError(417, 0, "Expected the Expect header '100-continue', but got another value.")));
            }
            if (announced > bytesMax) {
                return Future.failedFuture(tooLarge(false)); // the client has not sent the body yet
            }
            request.response().writeContinue();
        }
        request.exceptionHandler(gone -> {
            release();
            done.tryFail(new ClientGoneException(gone));
        });
        request.handler(this::chunk);
        request.endHandler(end -> {
            HttpError failed = problem;
            if (failed == null) {
                done.tryComplete(body);
            } else {
                done.tryFail(new RefusedException(failed));
            }
        });
        return done.future();
    }

    private void chunk(Buffer chunk) {
        received += chunk.length();
        if (problem != null) {
            if (received > (long) bytesMax + surplusBytesMax && !done.future().isComplete()) {
                done.fail(tooLarge(true)); // the connection ends with the answer
            }
        } else if (received > bytesMax) {
            problem = tooLarge;
            release();
        } else if (connections.claim(peer, MemoryPurpose.BODY, chunk.length())) {
            body.appendBuffer(chunk);
        } else {
            problem = HttpError.busy("Too many requests are being received. Please wait 10 seconds and try again.");
            release();
        }
    }

    /** Refuses a body that is not complete. Its sender may still write the rest, which is dropped. */
    void refuse(HttpError reason) {
        if (!done.future().isComplete()) {
            problem = reason;
            release();
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            done.fail(new RefusedException(reason));
        }
    }

    /** Releases the memory; the buffer must not be used afterwards. */
    void release() {
        body = Buffer.buffer(); // the rest of a refused body may arrive slowly
        connections.release(peer, MemoryPurpose.BODY);
    }

    private long announced() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException notANumber) {
            return 0; // the decoder refuses it
        }
    }

    private RefusedException tooLarge(boolean closing) {
        if (closing) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        return new RefusedException(tooLarge);
    }
}
