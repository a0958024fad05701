package dev.jitney.server.front;

/**
 * The figures of a {@link Front}. Sums count from the start of the process (CL-82).
 *
 * @param passedOn connections that another node serves at this moment, including those that are being opened
 * @param waiting connections that wait for a leader
 * @param openedPassages connections passed on so far
 * @param refused connections closed because of a limit, or because no leader served them in time
 * @param toLeaderBytes bytes passed on to leaders
 * @param toClientsBytes bytes passed on to clients
 * @param bufferedBytes bytes in memory that one side has sent and the other has not taken yet
 */
public record FrontFigures(
        int passedOn,
        int waiting,
        long openedPassages,
        long refused,
        long toLeaderBytes,
        long toClientsBytes,
        long bufferedBytes) {}
