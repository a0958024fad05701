package dev.jitney.runtime.security;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import java.util.List;

/** The check of tokens by a namespace that has one rule, and whose entities have none. */
public final class FuzzedTokens {
    private FuzzedTokens() {}

    /** Returns the grant of a token for an entity. */
    public static RuleGrant check(String token, EntityAddress audience, AccessRule rule, long nowMs)
            throws AuthenticationException {
        return SharedAccessSignature.check(token, audience, owner -> List.of(), List.of(rule), nowMs);
    }
}
