package dev.jitney.runtime.client;

import dev.jitney.model.ReceiveMode;
import org.jspecify.annotations.Nullable;

/**
 * A link of a client to an entity.
 *
 * @param name the name that the client has given it, at most {@value ConnectedClient#TEXT_MAX} characters
 * @param mode the mode in which the client receives; null if it sends
 * @param address the entity or sub-queue
 * @param sessionId the session that the link holds, or null
 * @param credit messages that the receiving side may still get: the client if it receives, the server if the client sends
 * @param unsettled deliveries that the client has not settled. In the mode peek-lock each has a lock, unless it has expired. 0 if the
 *     client sends
 * @param sinceMs the time at which the link was attached, in milliseconds since the epoch
 */
public record ClientLink(
        String name,
        @Nullable ReceiveMode mode,
        String address,
        @Nullable String sessionId,
        int credit,
        int unsettled,
        long sinceMs) {}
