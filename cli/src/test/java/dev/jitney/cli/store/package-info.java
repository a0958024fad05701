/** Tests of {@code jitney store} against a real server. */
@NullMarked
package dev.jitney.cli.store;

import org.jspecify.annotations.NullMarked;
