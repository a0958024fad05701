/**
 * {@code jitney store}: operation of the messaging stores of a Jitney server. Azure has nothing like it, so these commands call
 * the server directly ({@link dev.jitney.cli.connection.ServerApi}) instead of using the SDK.
 */
@NullMarked
package dev.jitney.cli.store;

import org.jspecify.annotations.NullMarked;
