package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import java.util.List;

/**
 * A target that uses a whole broker through one of its gateways. Its inputs leave traces in the broker, so they are
 * generated from seeds only.
 */
abstract class ServerTarget<F extends ServerTarget.Front> implements FuzzTarget {

    /** A broker and its gateways. */
    interface Front extends AutoCloseable {

        /** Checks everything that inputs must not affect, and that a valid client is served. */
        void check() throws Exception;

        @Override
        void close();
    }

    /** The destination of inputs. */
    protected final F front;

    private final String name;
    private final List<byte[]> words;

    ServerTarget(String name, List<byte[]> words, F front) {
        this.name = name;
        this.words = words;
        this.front = front;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<byte[]> words() {
        return words;
    }

    @Override
    public final boolean isFunction() {
        return false;
    }

    @Override
    public final void checkAtRest() throws Exception {
        front.check();
    }

    @Override
    public final void close() {
        front.close();
    }
}
