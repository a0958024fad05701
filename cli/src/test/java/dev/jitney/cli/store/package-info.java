/** {@code jitney store} against the server itself. */
@NullMarked
package dev.jitney.cli.store;

import org.jspecify.annotations.NullMarked;
