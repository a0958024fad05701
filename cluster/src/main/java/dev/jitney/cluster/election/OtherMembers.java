package dev.jitney.cluster.election;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The port of a {@link LeaderWatch} to the other members, by identity. Any thread may call it. */
public interface OtherMembers {
    /**
     * Waits until the process of a member has ended.
     *
     * @param identity the member
     * @param wanted   returns whether the caller still waits; read several times a second
     * @return true if the process has ended for certain; false if the caller does not wait any more
     * @throws IOException if nothing is known: there is no connection to the process, or it broke in another way
     */
    boolean awaitEnd(String identity, BooleanSupplier wanted) throws IOException;

    /**
     * Returns the opinion of a member about a leadership.
     *
     * @param identity the member
     * @param leader   the identity of the leader
     * @param term     the term of the leadership
     * @throws IOException if the member does not answer
     */
    Opinion opinion(String identity, String leader, long term) throws IOException;
}
