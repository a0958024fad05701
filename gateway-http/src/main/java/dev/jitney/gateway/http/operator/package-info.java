/**
 * The operator API below {@code /$operator/v1/} ({@code docs/guides/operator-api.md}, ADR 36): pages for operators of a
 * namespace, and for programs that they use.
 *
 * <p>{@link dev.jitney.gateway.http.operator.OperatorHandler} serves the requests that {@code request.OperatorOperation} lists.
 * {@code EntityTableQuery} lists entities; the package {@code message} finds, shows and changes messages, and the
 * package {@code session} does that with sessions.
 */
@NullMarked
package dev.jitney.gateway.http.operator;

import org.jspecify.annotations.NullMarked;
