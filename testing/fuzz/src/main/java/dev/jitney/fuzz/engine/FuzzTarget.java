package dev.jitney.fuzz.engine;

import java.util.List;
import java.util.Random;

/**
 * Something that takes octets of strangers, and knows which answers are right. One thread at a time calls it.
 *
 * <p>A target has the same opinion of an input whenever it is asked, so that what fails can be made small and repeated.
 */
public interface FuzzTarget extends AutoCloseable {

    /** A word in lower case, which is also the folder of its corpus. */
    String name();

    /** An input of the right structure, or of one that is nearly right. */
    byte[] generate(Random random);

    /**
     * Feeds an input and judges what came of it.
     *
     * @throws Throwable whatever is thrown is a mistake of what is tested
     */
    void run(byte[] input) throws Throwable;

    /** Looks after a number of inputs whether everything that inputs must not touch is as it was. */
    default void checkAtRest() throws Throwable {}

    /** The longest input worth making. */
    default int bytesMax() {
        return 4_096;
    }

    /** What one input may allocate on the thread that runs it, in bytes; what is allocated elsewhere has the heap's bound. */
    default long allocationBytesMax() {
        return 64L << 20;
    }

    /** Pieces that inputs are made of, for engines that do not know the structure. */
    default List<byte[]> words() {
        return List.of();
    }

    /** Whether an input has no traces but in its own run, so that other engines may choose inputs. */
    default boolean isFunction() {
        return true;
    }

    @Override
    default void close() throws Exception {}
}
