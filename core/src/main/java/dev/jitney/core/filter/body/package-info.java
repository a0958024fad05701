/**
 * The body of a message as the filters of searches read it. Filters of rules never read it (FILTER-4).
 *
 * <p>Read in this order: {@link dev.jitney.core.filter.body.MessageBody} (the bytes and texts of a body),
 * {@link dev.jitney.core.filter.body.JsonPath}, {@code JsonReader} and {@code JsonScalars} (the value at a path). All work takes
 * {@link dev.jitney.core.filter.body.Steps}.
 */
@NullMarked
package dev.jitney.core.filter.body;

import org.jspecify.annotations.NullMarked;
