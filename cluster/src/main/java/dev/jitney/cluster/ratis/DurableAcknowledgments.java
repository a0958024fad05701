package dev.jitney.cluster.ratis;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Holds back acknowledgments of entries until the entries are synced to disk (CL-1).
 *
 * <p>Ratis 3.3.0 waits for the sync of entries that a request adds, but not of entries that the log has already. A former leader may
 * still have its own entries in memory only, in front of the thread that writes them, when the next leader sends them again. Without
 * this class the next leader counts them as replicated, although the end of this process destroys them.
 *
 * <p>Replies of one call stay in order. The number that waits is bounded by the appends that a leader has outstanding
 * ({@link RatisSettings}). A call that ends drops its waiting replies: to a leader they are requests without an answer. A call in
 * which a reply waits for too long is ended, so that the leader starts again at the end of the log of this node. Otherwise a leader would
 * wait forever for a node that has lost a request.
 */
final class DurableAcknowledgments implements ServerInterceptor {
    private static final int RETRY_MS = 1;

    /** Longer than any sync of a disk that is of use. */
    private static final long HOLD_MS = 10_000;

    private final LongSupplier syncedIndex;
    private final long holdNanos;

    /** @param syncedIndex returns the last entry of the log that is synced to disk; any thread calls it */
    DurableAcknowledgments(LongSupplier syncedIndex) {
        this(syncedIndex, HOLD_MS);
    }

    /** @param holdMs the time after which a call ends whose next reply waits, in milliseconds */
    DurableAcknowledgments(LongSupplier syncedIndex, long holdMs) {
        this.syncedIndex = syncedIndex;
        holdNanos = TimeUnit.MILLISECONDS.toNanos(holdMs);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return next.startCall(new Replies<>(call), headers);
    }

    private boolean isDurable(Object reply) {
        return !(reply instanceof AppendEntriesReplyProto append)
                || append.getResult() != AppendResult.SUCCESS
                || append.getMatchIndex() <= syncedIndex.getAsLong();
    }

    /** The replies of a call. Ratis and the retries use it on different threads, so each method takes the lock. */
    private final class Replies<Q, R> extends ForwardingServerCall.SimpleForwardingServerCall<Q, R> {
        private final Executor later =
                CompletableFuture.delayedExecutor(RETRY_MS, TimeUnit.MILLISECONDS, Runnable::run);
        private final Queue<R> waiting = new ArrayDeque<>(1);
        private boolean closed;

        /** The time since which the first of the waiting replies waits. */
        private long heldNanos;

        Replies(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            super.sendHeaders(headers);
        }

        @Override
        public synchronized void sendMessage(R reply) {
            if (closed) {
                return;
            }
            if (waiting.isEmpty() && isDurable(reply)) {
                super.sendMessage(reply);
                return;
            }
            waiting.add(reply);
            if (waiting.size() == 1) {
                heldNanos = System.nanoTime();
                later.execute(this::retry);
            }
        }

        private synchronized void retry() {
            if (isCancelled()) {
                waiting.clear();
            }
            for (R next = waiting.peek(); next != null && isDurable(next); next = waiting.peek()) {
                super.sendMessage(waiting.remove());
                heldNanos = System.nanoTime();
            }
            if (!waiting.isEmpty() && System.nanoTime() - heldNanos > holdNanos) {
                close(
                        Status.UNAVAILABLE.withDescription("An acknowledgment waits for its entries for too long."),
                        new Metadata());
            }
            if (!waiting.isEmpty()) {
                later.execute(this::retry);
            }
        }

        @Override
        public synchronized void close(Status status, Metadata trailers) {
            if (closed) {
                return;
            }
            closed = true;
            waiting.clear();
            super.close(status, trailers);
        }
    }
}
