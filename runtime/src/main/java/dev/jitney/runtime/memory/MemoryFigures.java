package dev.jitney.runtime.memory;

import java.util.Map;

/**
 * The memory that clients hold at one moment.
 *
 * @param budgetBytes           bytes that all clients together may claim
 * @param unauthenticated       bytes of unauthenticated connections, by purpose
 * @param namespaces            bytes of all other connections, by namespace and purpose
 * @param closedUnauthenticated connections closed since the start because too many were unauthenticated
 * @param closedStalled         connections closed since the start because they held much without progress while
 *                              memory was low
 */
public record MemoryFigures(
        long budgetBytes,
        Map<MemoryPurpose, Long> unauthenticated,
        Map<String, Map<MemoryPurpose, Long>> namespaces,
        long closedUnauthenticated,
        long closedStalled) {

    /** The figures of a process without clients. */
    public static final MemoryFigures NONE = new MemoryFigures(0, Map.of(), Map.of(), 0, 0);
}
