/**
 * The operator API below {@code /$operator/v1/} ({@code docs/guides/operator-api.md}, ADR 36): pages for operators of a
 * namespace, and for programs that they use.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.operator.OperatorHandler} serves the requests that
 * {@code OperatorOperation} lists, {@code OperatorRequest} has their checked parameters, {@code EntityTableQuery} lists entities,
 * {@code MessageSearch} searches for messages and {@code MessageGroups} counts them, both as a {@code MessageScan}, and {@code MessageDocument} shows one. {@code MessageActions} checks the rights for changes
 * and makes a {@code MessageAction}, which {@code MessageActs} performs for each chosen message; {@code ResentMessage} sends a message
 * again, and {@code MessageEdit} turns a message and a document of changes into a message to send. {@code OpenApiDocument} describes the
 * API.
 */
@NullMarked
package dev.jitney.gateway.http.operator;

import org.jspecify.annotations.NullMarked;
