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
 * The event loop of one connection, as its parts use it: failures of an action end this connection and no other, and
 * frames that several actions write leave in one flush at the end of a turn of the loop. Called on that loop.
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
     * @param memory learns how much the client leaves in its socket
     * @param closer ends the connection when an action fails
     * @param containerId names the connection in the log
     * @param nowMs the first value of {@link #tickMs}
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

    /** Runs an action of the gateway; an exception from it is a mistake in the gateway and closes this connection alone. */
    public void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | StackOverflowError e) {
            if (closer.isEnded()) {
                LOG.atDebug()
                        .addKeyValue(LogKeys.CONNECTION, containerId)
                        .setCause(e)
                        .log("After the end of a connection");
                return;
            }
            LOG.atError()
                    .addKeyValue(LogKeys.CONNECTION, containerId)
                    .setCause(e)
                    .log("A connection is closed because of a failure in the server");
            closer.close(ErrorCode.INTERNAL, ErrorCode.INTERNAL.text());
        }
    }

    /** A listener whose calls are {@link #guarded}. */
    public ReplyListener replies(Consumer<Reply> onReply, Consumer<Rejection> onRejected) {
        return replies(onReply, onRejected, false);
    }

    /**
     * As {@link #replies(Consumer, Consumer)}.
     *
     * @param patient whether the client is told nothing of success
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

    /** Sends the frames that were written, at the end of this turn of the event loop. */
    public void wantFlush() {
        if (!flushWanted && !closer.isEnded()) {
            flushWanted = true;
            transport.executor().execute(this::flush);
        }
    }

    /** Sends the frames that were written. */
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

    /** Whether the peer takes bytes fast enough. */
    public boolean isWritable() {
        return transport.isWritable();
    }

    /** Where tasks for this event loop go. */
    public Executor executor() {
        return transport.executor();
    }

    /** Ends the connection, see {@link ConnectionCloser#close}. */
    public void close(ErrorCode code, String description) {
        closer.close(code, description);
    }

    /** Whether the connection has ended. */
    public boolean isEnded() {
        return closer.isEnded();
    }

    /** Notes the time of a tick. */
    public void tick(long nowMs) {
        tickMs = nowMs;
    }

    /** The time of the last tick, in milliseconds of a clock that only goes forward. */
    public long tickMs() {
        return tickMs;
    }
}
