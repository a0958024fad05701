/** A container with a Service Bus broker for tests: {@link dev.jitney.testcontainers.JitneyContainer}. */
@NullMarked
package dev.jitney.testcontainers;

import org.jspecify.annotations.NullMarked;
