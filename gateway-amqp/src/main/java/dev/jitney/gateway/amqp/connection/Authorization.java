package dev.jitney.gateway.amqp.connection;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.security.Grant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the credentials shown on one connection permit (wire reference 2). */
final class Authorization {
    /** A client needs one token per entity it uses; more audiences than links serve nobody. */
    private static final int AUDIENCES_MAX = 10_000;

    private final Map<String, Grant> byAudience = new LinkedHashMap<>();
    private @Nullable Grant wholeConnection;
    private long nextExpiryMs = Long.MAX_VALUE;

    /** Remembers a plain SASL credential; null takes it back. */
    void wholeConnection(@Nullable Grant grant) {
        wholeConnection = grant;
    }

    /** Remembers a token, in place of an earlier one for the same audience. */
    void put(EntityAddress audience, Grant grant) {
        String key = audience.key();
        byAudience.remove(key);
        if (byAudience.size() >= AUDIENCES_MAX) {
            byAudience.remove(byAudience.keySet().iterator().next());
        }
        byAudience.put(key, grant);
        nextExpiryMs = Math.min(nextExpiryMs, grant.expiresAtMs());
    }

    boolean isEmpty() {
        return wholeConnection == null && byAudience.isEmpty();
    }

    boolean permits(AccessRight right, EntityAddress entity, long nowMs) {
        if (wholeConnection != null && wholeConnection.permits(right, entity, nowMs)) {
            return true;
        }
        Grant own = byAudience.get(entity.key());
        if (own != null && own.permits(right, entity, nowMs)) {
            return true;
        }
        for (Grant grant : byAudience.values()) {
            if (grant.permits(right, entity, nowMs)) {
                return true;
            }
        }
        return false;
    }

    boolean permitsAny(EntityAddress entity, long nowMs) {
        for (AccessRight right : AccessRight.values()) {
            if (permits(right, entity, nowMs)) {
                return true;
            }
        }
        return false;
    }

    /** Drops what has expired; true if something has, so that running links must be looked at. */
    boolean expire(long nowMs) {
        if (nowMs < nextExpiryMs) {
            return false;
        }
        byAudience.values().removeIf(grant -> grant.expiresAtMs() <= nowMs);
        nextExpiryMs =
                byAudience.values().stream().mapToLong(Grant::expiresAtMs).min().orElse(Long.MAX_VALUE);
        return true;
    }
}
