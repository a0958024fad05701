package dev.jitney.runtime.client;

import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.IdentityProvider;

/**
 * The rules by which all gateways of a process admit clients. Any thread may use it.
 *
 * @param addresses limits of clients with one address
 * @param credentials connections and wrong keys of access rules
 * @param certificates the access rules that certificates of clients stand for
 * @param identities the identity provider whose tokens are accepted
 */
public record ClientAdmission(
        AddressLimits addresses,
        CredentialCounts credentials,
        CertificateRules certificates,
        IdentityProvider identities) {
    /** Returns an object without limits, certificates and tokens of identities. */
    public static ClientAdmission open() {
        return new ClientAdmission(
                AddressLimits.unlimited(), new CredentialCounts(0), new CertificateRules(), IdentityProvider.NONE);
    }

    /** Returns a copy that accepts the tokens of an identity provider. */
    public ClientAdmission withIdentities(IdentityProvider value) {
        return new ClientAdmission(addresses, credentials, certificates, value);
    }
}
