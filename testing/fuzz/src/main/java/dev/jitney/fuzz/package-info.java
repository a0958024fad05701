/**
 * {@code ./jitney fuzz}: feeds the components that take bytes from unauthenticated clients with unusual inputs
 * ({@code docs/reliability.md}). {@link dev.jitney.fuzz.FuzzCommand} is the command, {@code engine} runs targets,
 * {@code target} contains them.
 */
@NullMarked
package dev.jitney.fuzz;

import org.jspecify.annotations.NullMarked;
