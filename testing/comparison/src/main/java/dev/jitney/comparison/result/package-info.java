/**
 * The figures that runs give. Read {@code Figure}, {@code Findings} and {@code Run} first, then {@code ResultsFile}, which keeps
 * them over several commands, and {@code Results}, which sees them as a whole.
 */
@NullMarked
package dev.jitney.comparison.result;

import org.jspecify.annotations.NullMarked;
