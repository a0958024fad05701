/**
 * The answer to "where would this message go?". Read {@link dev.jitney.gateway.http.operator.explain.Explanation}, which follows a message
 * from entity to entity, then {@code ExplainedMessage}, the message of the request, {@code ExplainedEntity}, the part of the answer for one
 * entity, and {@code ExplainedValues}.
 */
@NullMarked
package dev.jitney.gateway.http.operator.explain;

import org.jspecify.annotations.NullMarked;
