/**
 * The whole server as a process under bad conditions: a full, slow, broken or read-only disk, damaged files, a clock that
 * jumps, little memory, many or silent connections. Read {@link dev.jitney.crash.DiskFullTest} first; the others are alike.
 *
 * <p>Kills are in {@code kill} (one kind of entity at a time), {@code forward}, {@code paired} and {@code mixed} (everything
 * at once, with the official SDK); clients that claim memory are in {@code greedy}; all of them use {@code support}.
 *
 * <p>{@code -Djitney.crash.rounds=500 -Djitney.crash.seed=42} runs longer, and again.
 */
@NullMarked
package dev.jitney.crash;

import org.jspecify.annotations.NullMarked;
