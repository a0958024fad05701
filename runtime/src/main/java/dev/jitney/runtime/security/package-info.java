/**
 * The credentials of clients and the rights that they grant. Every gateway uses it.
 *
 * <p>Read in this order: {@link dev.jitney.runtime.security.Grant} (the rights of a valid token),
 * {@link dev.jitney.runtime.security.SharedAccessSignature} (tokens that the key of an access rule signs),
 * {@link dev.jitney.runtime.security.RuleGrant}, {@link dev.jitney.runtime.security.KeyCredential} (a rule name and a key
 * instead of tokens). Then the port for an identity provider: {@link dev.jitney.runtime.security.IdentityProvider},
 * {@link dev.jitney.runtime.security.Identity}, {@link dev.jitney.runtime.security.Permission} and
 * {@link dev.jitney.runtime.security.IdentityGrant}. {@link dev.jitney.runtime.security.OperatorRole} has the roles of people, and
 * {@link dev.jitney.runtime.security.LoginProvider} is the port for their login in a browser, with {@link
 * dev.jitney.runtime.security.LoginException} for refused ones. {@link dev.jitney.runtime.security.LastingGrant} is for work that
 * continues after the expiry of a token.
 *
 * <p>Certificates of clients: {@link dev.jitney.runtime.security.CertificateRules} names the rules that they stand for, and
 * {@link dev.jitney.runtime.security.CertificateCredential} is a certificate with the rights of its rules. {@link
 * dev.jitney.runtime.security.TlsPolicy} has the settings of TLS.
 */
@NullMarked
package dev.jitney.runtime.security;

import org.jspecify.annotations.NullMarked;
