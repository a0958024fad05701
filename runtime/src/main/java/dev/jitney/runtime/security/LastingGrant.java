package dev.jitney.runtime.security;

import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule and the scope of a token, without its key and its expiry. It is for work that a client has ordered and that continues after the
 * token has expired: the work may do what the rule permits now. A new key does not end it, the deletion of the rule does.
 *
 * @param audience   the path of the entity that the token was presented for, as the client wrote it
 * @param scopeKey   the path that the token itself covers, in comparison form
 * @param ruleName   the name of the rule
 * @param entityRule whether the rule belongs to an entity and not to the namespace
 */
public record LastingGrant(String audience, String scopeKey, String ruleName, boolean entityRule) {

    /** Returns the rule and the scope of a grant. */
    public static LastingGrant of(Grant grant) {
        Grant.Proof proof = grant.proof();
        return new LastingGrant(
                proof.audience().path() + proof.audience().subQueue().suffix(),
                proof.scopeKey(),
                grant.ruleName(),
                grant.entityRule());
    }

    /** Returns what the rule permits now, or null if it does not exist any more. */
    public @Nullable Grant now(Namespace namespace) {
        return SharedAccessSignature.judge(
                EntityAddress.ofPath(audience),
                scopeKey,
                Long.MAX_VALUE,
                rule -> rule.name().equalsIgnoreCase(ruleName) ? rule.primaryKey() : null,
                path -> entityRule ? SharedAccessSignature.rulesOf(namespace, path) : List.of(),
                entityRule ? List.of() : namespace.accessRules());
    }
}
