/** Tests of {@code jitney message} against a real server. */
@NullMarked
package dev.jitney.cli.operator;

import org.jspecify.annotations.NullMarked;
