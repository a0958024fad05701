package dev.jitney.gateway.amqp.access;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.ConnectionCredential;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.IdentityProvider;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of the credentials of one connection (wire reference 2). They are evaluated again when an access rule
 * of the namespace or of an entity has changed, so they never permit more than the current rules.
 */
public final class Authorization {
    /** The limit of audiences. A client needs one token per entity; more audiences than links have no use. */
    private static final int AUDIENCES_MAX = 10_000;

    private final Map<String, Grant> byAudience = new LinkedHashMap<>();
    private final IdentityProvider identities;
    private @Nullable ConnectionCredential wholeConnection;
    private @Nullable Namespace namespace;
    private long nextExpiryMs = Long.MAX_VALUE;
    private long rulesVersion;
    private boolean lessened;

    /** @param identities the provider whose withdrawn keys end grants */
    Authorization(IdentityProvider identities) {
        this.identities = identities;
    }

    /**
     * Starts the evaluation when the connection is open.
     *
     * @param namespace namespace whose rules apply from now on
     * @param credential a credential of SASL for that namespace, or null
     */
    void open(Namespace namespace, @Nullable ConnectionCredential credential) {
        this.namespace = namespace;
        wholeConnection = credential;
        if (credential != null) {
            nextExpiryMs = Math.min(nextExpiryMs, credential.expiresAtMs());
        }
        rulesVersion = version(namespace) - 1; // a rule may have changed since the credential was checked
    }

    /** Stores a token in place of an earlier token for the same audience. */
    public void put(EntityAddress audience, Grant grant) {
        String key = audience.key();
        byAudience.remove(key);
        if (byAudience.size() >= AUDIENCES_MAX) {
            byAudience.remove(byAudience.keySet().iterator().next());
        }
        byAudience.put(key, grant);
        nextExpiryMs = Math.min(nextExpiryMs, grant.expiresAtMs());
    }

    public boolean isEmpty() {
        return wholeConnection == null && byAudience.isEmpty();
    }

    /** Returns the rule, or the identity, of the first credential, or the empty text if there is none. */
    String firstRule() {
        ConnectionCredential credential = wholeConnection;
        if (credential != null) {
            return credential.ruleName();
        }
        return byAudience.values().stream().findFirst().map(Grant::holder).orElse("");
    }

    public boolean permits(AccessRight right, EntityAddress entity, long nowMs) {
        return ruleThatPermits(right, entity, nowMs) != null;
    }

    /** Returns the name of an authorization rule, or the identity, that permits an operation now, or null if none does. */
    public @Nullable String ruleThatPermits(AccessRight right, EntityAddress entity, long nowMs) {
        followRules();
        if (wholeConnection != null && wholeConnection.permits(right, entity)) {
            return wholeConnection.ruleName();
        }
        Grant own = byAudience.get(entity.key());
        if (own != null && own.permits(right, entity, nowMs)) {
            return own.holder();
        }
        for (Grant grant : byAudience.values()) {
            if (grant.permits(right, entity, nowMs)) {
                return grant.holder();
            }
        }
        return null;
    }

    public boolean permitsAny(EntityAddress entity, long nowMs) {
        for (AccessRight right : AccessRight.values()) {
            if (permits(right, entity, nowMs)) {
                return true;
            }
        }
        return false;
    }

    /** Drops expired tokens. Returns whether there were any, so that the caller must check running links. */
    public boolean expire(long nowMs) {
        if (nowMs < nextExpiryMs) {
            return false;
        }
        byAudience.values().removeIf(grant -> grant.expiresAtMs() <= nowMs);
        nextExpiryMs =
                byAudience.values().stream().mapToLong(Grant::expiresAtMs).min().orElse(Long.MAX_VALUE);
        ConnectionCredential credential = wholeConnection;
        if (credential != null && credential.expiresAtMs() <= nowMs) {
            wholeConnection = null;
        } else if (credential != null) {
            nextExpiryMs = Math.min(nextExpiryMs, credential.expiresAtMs());
        }
        return true;
    }

    /**
     * Returns whether changed rules permit less than at the previous call, so that the caller must check running links.
     * Almost free while no rule changes.
     */
    public boolean lessenedByRules() {
        followRules();
        boolean result = lessened;
        lessened = false;
        return result;
    }

    /** Returns a number that grows when a rule changes, when the identity provider withdraws a key, and with that of the credential. */
    private long version(Namespace of) {
        ConnectionCredential credential = wholeConnection;
        return of.accessVersion() + identities.version() + (credential == null ? 0 : credential.version());
    }

    private void followRules() {
        Namespace of = namespace;
        if (of == null) {
            return;
        }
        long version = version(of);
        if (version == rulesVersion) {
            return;
        }
        rulesVersion = version; // read before the rules, so the next call sees a change in between
        ConnectionCredential credential = wholeConnection;
        if (credential != null) {
            lessened = true; // assumed: the credential has no rights of its own to compare
            wholeConnection = credential.isValid() ? credential : null;
        }
        for (Iterator<Map.Entry<String, Grant>> all = byAudience.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Grant> entry = all.next();
            Grant now = entry.getValue().underRulesOf(of);
            lessened |= !entry.getValue().equals(now);
            if (now == null) {
                all.remove();
            } else {
                entry.setValue(now);
            }
        }
    }
}
