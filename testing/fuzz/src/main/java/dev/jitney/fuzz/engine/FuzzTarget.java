package dev.jitney.fuzz.engine;

import java.util.List;
import java.util.Random;

/**
 * A component that takes bytes from unauthenticated clients, with a check of its answers. Called by one thread at a
 * time.
 *
 * <p>A target is deterministic: the same input always passes or fails, so that a failing input can be minimized and
 * repeated.
 */
public interface FuzzTarget extends AutoCloseable {

    /** Returns the name in lower case, which is also the folder of its corpus. */
    String name();

    /** Returns an input of valid or nearly valid structure. */
    byte[] generate(Random random);

    /**
     * Runs an input and checks the result.
     *
     * @throws Throwable on any failure of the tested component
     */
    void run(byte[] input) throws Throwable;

    /** Checks, after a number of inputs, that everything that inputs must not affect is unchanged. */
    default void checkAtRest() throws Throwable {}

    /** Returns the maximum length of generated inputs. */
    default int bytesMax() {
        return 4_096;
    }

    /**
     * Returns the bytes that one input may allocate on the thread that runs it. Other allocations are bounded by the
     * heap.
     */
    default long allocationBytesMax() {
        return 64L << 20;
    }

    /** Returns fragments of valid inputs, for engines that do not know the structure. */
    default List<byte[]> words() {
        return List.of();
    }

    /** Returns whether an input has no effect beyond its own run, so that other engines may choose inputs. */
    default boolean isFunction() {
        return true;
    }

    @Override
    default void close() throws Exception {}
}
