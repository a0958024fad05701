/**
 * The audit log and the audit trail of administrative actions: who changed which entity, and how. Gateways write them, because they
 * authenticate the client.
 *
 * <p>Read {@link dev.jitney.runtime.audit.Audit} first, then {@link dev.jitney.runtime.audit.AuditedAction}, {@link
 * dev.jitney.runtime.audit.Changes} and {@link dev.jitney.runtime.audit.StoredAuditTrail}.
 */
@NullMarked
package dev.jitney.runtime.audit;

import org.jspecify.annotations.NullMarked;
