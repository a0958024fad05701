/**
 * {@code ./jitney fuzz}: feeds whatever takes octets of strangers with octets nobody would send
 * ({@code docs/reliability.md}). {@link dev.jitney.fuzz.FuzzCommand} is the command, {@code engine} runs targets,
 * {@code target} has them.
 */
@NullMarked
package dev.jitney.fuzz;

import org.jspecify.annotations.NullMarked;
