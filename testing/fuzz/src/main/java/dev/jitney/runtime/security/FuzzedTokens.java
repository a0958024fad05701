package dev.jitney.runtime.security;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import java.util.List;

/** Judges tokens as a namespace does that has one rule, and whose entities have none. */
public final class FuzzedTokens {
    private FuzzedTokens() {}

    /** What a token permits that is shown for an entity. */
    public static Grant check(String token, EntityAddress audience, AccessRule rule, long nowMs)
            throws AuthenticationException {
        return SharedAccessSignature.check(token, audience, owner -> List.of(), List.of(rule), nowMs);
    }
}
