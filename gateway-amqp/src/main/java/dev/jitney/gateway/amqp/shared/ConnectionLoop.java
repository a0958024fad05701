package dev.jitney.gateway.amqp.shared;

import dev.jitney.core.Reply;
import dev.jitney.gateway.amqp.wire.FrameWriter;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.ReplyListener;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of one connection. The failure of an action ends this connection and no other. Frames that several
 * actions write leave in one flush at the end of a turn of the loop. Called on that loop.
 */
public final class ConnectionLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLoop.class);

    private final Transport transport;
    private final FrameWriter frames;
    private final ConnectionMemory memory;
    private final ConnectionCloser closer;
    private final String containerId;
    private long tickMs;
    private boolean flushWanted;

    /**
     * @param frames writes the frames that a flush sends
     * @param memory records how many bytes the client leaves in its socket
     * @param closer closes the connection when an action fails
     * @param containerId identifies the connection in the log
     * @param nowMs first value of {@link #tickMs}
     */
    public ConnectionLoop(
            Transport transport,
            FrameWriter frames,
            ConnectionMemory memory,
            ConnectionCloser closer,
            String containerId,
            long nowMs) {
        this.transport = transport;
        this.frames = frames;
        this.memory = memory;
        this.closer = closer;
        this.containerId = containerId;
        tickMs = nowMs;
    }

    /** Runs an action of the gateway. An exception is an internal error and closes only this connection. */
    public void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | StackOverflowError e) {
            if (closer.isEnded()) {
                LOG.atDebug()
                        .addKeyValue(LogKeys.CONNECTION, containerId)
                        .setCause(e)
                        .log("An action failed after its connection had ended; ignoring it");
                return;
            }
            LOG.atError()
                    .addKeyValue(LogKeys.CONNECTION, containerId)
                    .setCause(e)
                    .log("Closing a connection because of an internal error");
            closer.close(ErrorCode.INTERNAL, ErrorCode.INTERNAL.text());
        }
    }

    /** Returns a listener whose calls are {@link #guarded}. */
    public ReplyListener replies(Consumer<Reply> onReply, Consumer<Rejection> onRejected) {
        return replies(onReply, onRejected, false);
    }

    /**
     * Returns a listener whose calls are {@link #guarded}.
     *
     * @param patient whether a successful reply may be delayed, because the client gets no answer to it
     */
    public ReplyListener replies(Consumer<Reply> onReply, Consumer<Rejection> onRejected, boolean patient) {
        return new ReplyListener() {
            @Override
            public boolean allowsDelay() {
                return patient;
            }

            @Override
            public void onReply(Reply reply) {
                guarded(() -> onReply.accept(reply));
            }

            @Override
            public void onRejected(Rejection rejection) {
                guarded(() -> onRejected.accept(rejection));
            }
        };
    }

    /** Requests a flush of the written frames at the end of this turn of the event loop. */
    public void wantFlush() {
        if (!flushWanted && !closer.isEnded()) {
            flushWanted = true;
            transport.executor().execute(this::flush);
        }
    }

    /** Flushes the written frames. */
    public void flush() {
        flushWanted = false;
        if (!closer.isEnded()) {
            guarded(frames::flush);
            transport.flush();
            if (!transport.isWritable()) {
                memory.output(transport.pendingOutputBytes());
            }
        }
    }

    /** Returns whether the peer reads bytes fast enough. */
    public boolean isWritable() {
        return transport.isWritable();
    }

    /** Returns the executor of this event loop. */
    public Executor executor() {
        return transport.executor();
    }

    /** Closes the connection, see {@link ConnectionCloser#close}. */
    public void close(ErrorCode code, String description) {
        closer.close(code, description);
    }

    /** Returns whether the connection has ended. */
    public boolean isEnded() {
        return closer.isEnded();
    }

    /** Sets the time of the last tick. */
    public void tick(long nowMs) {
        tickMs = nowMs;
    }

    /** Returns the time of the last tick, in milliseconds of a monotonic clock. */
    public long tickMs() {
        return tickMs;
    }
}
