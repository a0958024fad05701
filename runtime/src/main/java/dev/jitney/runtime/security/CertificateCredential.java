package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a TLS client, which stands for access rules ({@link CertificateRules}). Every use looks the entries and the rules
 * up again. It is valid until the certificate expires. Any thread may call it.
 */
public final class CertificateCredential implements ConnectionCredential {
    private final CertificateRules rules;
    private final X509Certificate certificate;
    private final Namespace namespace;
    private final boolean isFirst;
    private volatile Found found;

    private record Found(long version, List<CertificateRules.Entry> entries) {}

    /** @param isFirst true if entries without a namespace mean this one */
    CertificateCredential(CertificateRules rules, X509Certificate certificate, Namespace namespace, boolean isFirst) {
        this.rules = rules;
        this.certificate = certificate;
        this.namespace = namespace;
        this.isFirst = isFirst;
        this.found = find();
    }

    private Found find() {
        long version = rules.version(); // read before the entries, so that the next call sees a change in between
        return new Found(version, rules.of(certificate, namespace, isFirst));
    }

    private List<CertificateRules.Entry> entries() {
        Found now = found;
        if (now.version() != rules.version()) {
            now = find();
            found = now;
        }
        return now.entries();
    }

    @Override
    public Namespace namespace() {
        return namespace;
    }

    @Override
    public String ruleName() {
        return entries().stream().findFirst().map(CertificateRules.Entry::rule).orElse("");
    }

    @Override
    public boolean isValid() {
        return entries().stream().anyMatch(entry -> rule(entry) != null);
    }

    @Override
    public boolean permits(AccessRight right, EntityAddress entity) {
        for (CertificateRules.Entry entry : entries()) {
            AccessRule rule = covers(entry, entity) ? rule(entry) : null;
            if (rule != null && rule.rights().contains(right)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a grant for one request.
     *
     * @param anyOf rights of which the request needs one; if no rule has one, the grant is that of a rule with other rights
     * @return null if no rule covers the entity
     */
    /*
     * The proof has a key of the rule, so that work which outlives the request ends when that key changes or the rule loses the
     * right. The next request gets a new grant.
     */
    public @Nullable Grant grant(EntityAddress entity, AccessRight... anyOf) {
        Grant other = null;
        for (CertificateRules.Entry entry : entries()) {
            AccessRule rule = covers(entry, entity) ? rule(entry) : null;
            if (rule != null) {
                boolean own = !entry.entity().isEmpty();
                String scope = own ? EntityAddress.keyOf(entry.entity()) : "";
                RuleGrant.Proof proof = new RuleGrant.Proof(entity, "", rule.name(), rule.primaryKey());
                Grant grant = new RuleGrant(rule.name(), scope, rule.rights(), expiresAtMs(), own, proof);
                for (AccessRight right : anyOf) {
                    if (rule.rights().contains(right)) {
                        return grant;
                    }
                }
                other = other == null ? grant : other;
            }
        }
        return other;
    }

    private static boolean covers(CertificateRules.Entry entry, EntityAddress entity) {
        if (entry.entity().isEmpty()) {
            return true;
        }
        String owner = EntityAddress.keyOf(entry.entity());
        return SharedAccessSignature.ruleOwners(entity).stream()
                .anyMatch(path -> EntityAddress.keyOf(path).equals(owner));
    }

    private @Nullable AccessRule rule(CertificateRules.Entry entry) {
        List<AccessRule> candidates = entry.entity().isEmpty()
                ? namespace.accessRules()
                : SharedAccessSignature.rulesOf(namespace, entry.entity());
        return candidates.stream()
                .filter(rule -> rule.name().equalsIgnoreCase(entry.rule()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public long version() {
        return rules.version();
    }

    @Override
    public long expiresAtMs() {
        return certificate.getNotAfter().getTime();
    }

    @Override
    public String toString() {
        return "CertificateCredential[" + certificate.getSubjectX500Principal() + "]";
    }
}
