package dev.jitney.runtime.security;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The access rules that certificates of TLS clients stand for. A certificate has the rights of the rules whose entries name it, and no
 * rights without an entry. Whether the certificate is of a trusted authority is checked in the handshake. Any thread may call it.
 */
public final class CertificateRules {
    /** The limit of entries. */
    public static final int ENTRIES_MAX = 10_000;

    private volatile Table table = new Table(0, List.of());

    /** The part of a certificate that an entry names. */
    public enum Part {
        /** The whole subject, as in RFC 2253; spaces and the case of letters do not matter. */
        SUBJECT,
        /** The common name in the subject. */
        COMMON_NAME,
        /** A host name in the subject alternative names, in any case. */
        DNS,
        /** A URI in the subject alternative names, for example a SPIFFE id. */
        URI,
        /** An e-mail address in the subject alternative names. */
        EMAIL
    }

    /**
     * A certificate and the access rule that it stands for.
     *
     * @param part the part of the certificate
     * @param value its value
     * @param namespace the name of the namespace with the rule, or null for the first one
     * @param entity path of the queue or topic whose own rule it is; empty for a rule of the namespace
     * @param rule name of the rule
     */
    public record Entry(Part part, String value, @Nullable String namespace, String entity, String rule) {
        /** Returns whether the entry names a certificate. */
        boolean names(X509Certificate certificate) {
            return switch (part) {
                case SUBJECT -> isSubject(certificate);
                case COMMON_NAME -> value.equals(commonName(certificate));
                case EMAIL -> alternatives(certificate, 1).contains(value);
                case DNS -> alternatives(certificate, 2).stream().anyMatch(value::equalsIgnoreCase);
                case URI -> alternatives(certificate, 6).contains(value);
            };
        }

        private boolean isSubject(X509Certificate certificate) {
            try {
                return new X500Principal(value).equals(certificate.getSubjectX500Principal());
            } catch (IllegalArgumentException noName) {
                return false;
            }
        }
    }

    private record Table(long version, List<Entry> entries) {}

    /** Replaces all entries. Rights of open connections change accordingly. */
    public synchronized void replace(List<Entry> entries) {
        table = new Table(table.version() + 1, List.copyOf(entries));
    }

    /** Returns a number that grows with each {@link #replace}. */
    long version() {
        return table.version();
    }

    /**
     * Returns the credential of a client with a certificate, or null if no entry gives it a rule that exists.
     *
     * @param certificate certificate of the client, checked in the handshake
     * @param named the namespace that the client has named, or null if it has named none
     */
    public @Nullable CertificateCredential credential(
            X509Certificate certificate, Broker broker, @Nullable Namespace named) {
        Namespace first = broker.namespaces().get(0);
        Namespace chosen = named;
        if (chosen == null) {
            List<Entry> all = of(certificate);
            if (all.isEmpty()) {
                return null;
            }
            String name = all.get(0).namespace();
            chosen = name == null ? first : broker.namespaceNamed(name);
        }
        if (chosen == null) {
            return null;
        }
        CertificateCredential credential = new CertificateCredential(this, certificate, chosen, chosen == first);
        return credential.isValid() ? credential : null;
    }

    /** Returns the entries that name a certificate. */
    private List<Entry> of(X509Certificate certificate) {
        return table.entries().stream()
                .filter(entry -> entry.names(certificate))
                .toList();
    }

    /** Returns the entries that give a certificate rules of a namespace. */
    List<Entry> of(X509Certificate certificate, Namespace namespace, boolean isFirst) {
        return of(certificate).stream()
                .filter(entry ->
                        entry.namespace() == null ? isFirst : namespace.name().equalsIgnoreCase(entry.namespace()))
                .toList();
    }

    private static @Nullable String commonName(X509Certificate certificate) {
        try {
            List<Rdn> parts = new LdapName(certificate.getSubjectX500Principal().getName()).getRdns();
            for (int i = parts.size() - 1; i >= 0; i--) { // the most specific part is the last one
                if (parts.get(i).getType().equalsIgnoreCase("CN")) {
                    return String.valueOf(parts.get(i).getValue());
                }
            }
        } catch (InvalidNameException malformed) {
            return null;
        }
        return null;
    }

    /** Returns subject alternative names of one type (RFC 5280, 4.2.1.6). */
    private static List<String> alternatives(X509Certificate certificate, int type) {
        List<String> found = new ArrayList<>();
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names != null) {
                for (List<?> name : names) {
                    if (name.get(0).equals(type)) {
                        found.add(String.valueOf(name.get(1)));
                    }
                }
            }
        } catch (CertificateParsingException malformed) {
            return List.of();
        }
        return found;
    }
}
