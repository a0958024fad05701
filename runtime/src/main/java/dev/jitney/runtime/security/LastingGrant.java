package dev.jitney.runtime.security;

import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rights behind a token, without its key and its expiry. It is for work that a client has ordered and that continues after the
 * token has expired: the work may do what the rule, or the roles of the identity, permit now.
 */
public sealed interface LastingGrant {

    /**
     * The rule and the scope of a token. A new key does not end it, the deletion of the rule does.
     *
     * @param audience   the path of the entity that the token was presented for, as the client wrote it
     * @param scopeKey   the path that the token itself covers, in comparison form
     * @param ruleName   the name of the rule
     * @param entityRule whether the rule belongs to an entity and not to the namespace
     */
    record OfRule(String audience, String scopeKey, String ruleName, boolean entityRule) implements LastingGrant {
        @Override
        public String holder() {
            return ruleName;
        }

        @Override
        public @Nullable Grant now(Namespace namespace, IdentityProvider provider) {
            return SharedAccessSignature.judge(
                    EntityAddress.ofPath(audience),
                    scopeKey,
                    Long.MAX_VALUE,
                    rule -> rule.name().equalsIgnoreCase(ruleName) ? rule.primaryKey() : null,
                    path -> entityRule ? SharedAccessSignature.rulesOf(namespace, path) : List.of(),
                    entityRule ? List.of() : namespace.accessRules());
        }
    }

    /**
     * An identity and the roles that it had. A role that the server does not map to rights any more ends its part.
     *
     * @param holder the name and the subject of the identity, for people
     * @param roles  the roles and groups that gave permissions
     */
    record OfIdentity(String holder, List<String> roles) implements LastingGrant {
        public OfIdentity {
            roles = List.copyOf(roles);
        }

        @Override
        public @Nullable Grant now(Namespace namespace, IdentityProvider provider) {
            List<Permission> permissions = provider.permissionsOf(roles);
            return permissions.isEmpty()
                    ? null
                    : new IdentityGrant(
                            new Identity(holder, "", roles, permissions, Long.MAX_VALUE, ""),
                            namespace.name(),
                            provider);
        }
    }

    /** Returns the lasting part of a grant. */
    static LastingGrant of(Grant grant) {
        if (grant instanceof IdentityGrant ofIdentity) {
            return new OfIdentity(ofIdentity.holder(), ofIdentity.identity().roles());
        }
        RuleGrant ofRule = (RuleGrant) grant;
        RuleGrant.Proof proof = ofRule.proof();
        return new OfRule(
                proof.audience().path() + proof.audience().subQueue().suffix(),
                proof.scopeKey(),
                ofRule.ruleName(),
                ofRule.entityRule());
    }

    /** Returns the holder of the rights, for people and for the audit log: the name of the rule, or the identity. */
    String holder();

    /** Returns the rights that remain now, or null if there are none. */
    @Nullable
    Grant now(Namespace namespace, IdentityProvider provider);
}
