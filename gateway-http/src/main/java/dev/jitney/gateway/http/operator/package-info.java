/**
 * The operator API below {@code /$operator/v1/} ({@code docs/guides/operator-api.md}, ADR 36): pages for operators of a
 * namespace, and for programs that they use.
 *
 * <p>{@link dev.jitney.gateway.http.operator.OperatorHandler} serves the requests that {@code request.OperatorOperation} lists.
 * {@code EntityTableQuery} lists entities from an {@code EntityTable}. The package {@code figure} shows figures over time, {@code message} finds, shows, changes and
 * sends messages, and {@code job} changes many of them. The packages {@code session} and {@code rule} have sessions and rules, and {@code
 * explain} shows where a message would go. The package {@code audit} lists administrative actions, and {@code administration} has settings
 * and access rules. The package {@code backup} makes backups.
 */
@NullMarked
package dev.jitney.gateway.http.operator;

import org.jspecify.annotations.NullMarked;
