package dev.jitney.runtime.client;

import dev.jitney.runtime.security.CertificateRules;

/**
 * The rules by which all gateways of a process admit clients. Any thread may use it.
 *
 * @param addresses limits of clients with one address
 * @param credentials connections and wrong keys of access rules
 * @param certificates the access rules that certificates of clients stand for
 */
public record ClientAdmission(AddressLimits addresses, CredentialCounts credentials, CertificateRules certificates) {
    /** Returns an object without limits and without certificates. */
    public static ClientAdmission open() {
        return new ClientAdmission(AddressLimits.unlimited(), new CredentialCounts(0), new CertificateRules());
    }
}
