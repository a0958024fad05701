/**
 * {@code jitney audit-dependencies}: compares the libraries of Jitney with a file of known vulnerabilities, without a network.
 * {@link dev.jitney.distribution.audit.Licenses} has the licenses of libraries, which the build and the release compare with the permitted ones.
 *
 * <p>Read {@link dev.jitney.distribution.audit.AuditDependencies} (the command), {@link dev.jitney.distribution.audit.Libraries} (the
 * libraries and their checksums), {@link dev.jitney.distribution.audit.Advisories} (the data), {@link
 * dev.jitney.distribution.audit.Advisory}, {@link dev.jitney.distribution.audit.MavenVersion}, {@link
 * dev.jitney.distribution.audit.NpmVersion} and {@link dev.jitney.distribution.audit.Allowances} (accepted findings).
 */
@NullMarked
package dev.jitney.distribution.audit;

import org.jspecify.annotations.NullMarked;
