/**
 * The audit log of administrative actions: who changed which entity, and how. Gateways write it, because they
 * authenticate the client.
 *
 * <p>Read {@link dev.jitney.runtime.audit.Audit} first, then {@link dev.jitney.runtime.audit.AuditedAction} and
 * {@link dev.jitney.runtime.audit.Changes}.
 */
@NullMarked
package dev.jitney.runtime.audit;

import org.jspecify.annotations.NullMarked;
