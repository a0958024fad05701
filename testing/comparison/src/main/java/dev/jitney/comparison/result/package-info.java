/**
 * The figures of runs. Read {@code Figure}, {@code Findings} and {@code Run} first, then {@code ResultsFile}, which
 * keeps them over several commands, and {@code Results}, which combines them.
 */
@NullMarked
package dev.jitney.comparison.result;

import org.jspecify.annotations.NullMarked;
