/**
 * The operator API below {@code /$operator/v1/} ({@code docs/guides/operator-api.md}, ADR 36): pages for operators of a
 * namespace, and for programs that they use.
 *
 * <p>{@link dev.jitney.gateway.http.operator.OperatorHandler} serves the requests that {@code request.OperatorOperation} lists.
 * {@code EntityTableQuery} lists entities. The package {@code figure} shows figures over time, {@code message} finds, shows and changes
 * messages, {@code job} changes many of them, {@code session} and {@code rule} have sessions and rules, {@code explain} shows where a
 * message would go, and {@code audit} lists administrative actions. {@code administration} has the settings and access rules of entities.
 */
@NullMarked
package dev.jitney.gateway.http.operator;

import org.jspecify.annotations.NullMarked;
