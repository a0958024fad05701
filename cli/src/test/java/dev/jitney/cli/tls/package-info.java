/** Tests of {@code jitney tls check}. */
@NullMarked
package dev.jitney.cli.tls;

import org.jspecify.annotations.NullMarked;
