package dev.jitney.server.cli;

import java.util.Properties;

/**
 * The common pool of the process on a machine with few processors.
 *
 * <p>{@link java.util.concurrent.CompletableFuture} starts a new thread for each step without an executor if the common pool would
 * have one thread only, as it has on two processors (until Java 24). Ratis has such a step for each append that a follower
 * receives.
 */
final class CommonPool {
    static final String PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";

    private static final int PROCESSORS_FEW = 2;

    private CommonPool() {}

    /** Gives the common pool two threads, unless it has more or its size was chosen. Call it before the pool is used. */
    static void useOnFewProcessors() {
        set(System.getProperties(), Runtime.getRuntime().availableProcessors());
    }

    static void set(Properties properties, int processors) {
        if (processors <= PROCESSORS_FEW) {
            properties.putIfAbsent(PARALLELISM, "2");
        }
    }
}
