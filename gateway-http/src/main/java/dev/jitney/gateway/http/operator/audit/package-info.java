/**
 * The audit trail of a namespace, page by page: {@code AuditPage} with its {@code AuditFilter}. {@code AuditedAnswer} answers changes that have an
 * entry in it.
 */
@NullMarked
package dev.jitney.gateway.http.operator.audit;

import org.jspecify.annotations.NullMarked;
