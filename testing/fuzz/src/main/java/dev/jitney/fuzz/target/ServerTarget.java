package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import java.util.List;

/**
 * A target that speaks to a whole broker through one of its fronts. What it has run leaves traces there, so inputs are
 * made from seeds only.
 */
abstract class ServerTarget<F extends ServerTarget.Front> implements FuzzTarget {

    /** A broker and the gateways inputs go through. */
    interface Front extends AutoCloseable {

        /** Looks after what inputs must not touch, and is served as a client that means well. */
        void check() throws Exception;

        @Override
        void close();
    }

    /** Where inputs go. */
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
