/**
 * Shared access signatures: {@link dev.jitney.runtime.security.SharedAccessSignature} parses and verifies tokens,
 * {@link dev.jitney.runtime.security.Grant} has the rights of a valid token, and
 * {@link dev.jitney.runtime.security.KeyCredential} is a rule name and a key instead of tokens. Every gateway uses
 * it.
 *
 * <p>Certificates of clients: {@link dev.jitney.runtime.security.CertificateRules} names the rules that they stand for, and
 * {@link dev.jitney.runtime.security.CertificateCredential} is a certificate with the rights of its rules. {@link
 * dev.jitney.runtime.security.TlsPolicy} has the settings of TLS.
 */
@NullMarked
package dev.jitney.runtime.security;

import org.jspecify.annotations.NullMarked;
