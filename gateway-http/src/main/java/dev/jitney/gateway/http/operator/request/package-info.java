/**
 * Requests to the operator API and their answers.
 *
 * <p>Read in this order: {@code OperatorOperation} is the table of all operations with their {@code OperatorParameter}s. {@code
 * OperatorRequest} has the checked parameters of a request. {@code OperatorBody} and {@code StrictJson} read its body. {@code JsonAnswer}
 * sends an answer, and {@code OpenApiDocument} describes the API.
 */
@NullMarked
package dev.jitney.gateway.http.operator.request;

import org.jspecify.annotations.NullMarked;
