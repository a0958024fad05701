/**
 * Tests of the whole server as a process under bad conditions: full, slow, broken and read-only disks, damaged files,
 * clock changes, little memory, and many or silent connections. Read {@link dev.jitney.crash.DiskFullTest} first; the
 * others are similar.
 *
 * <p>Tests that kill servers are in {@code kill} (one kind of entity at a time), {@code forward}, {@code paired} and
 * {@code mixed} (all features at once, with the official SDK). Clients that claim memory are in {@code greedy}. All of
 * them use {@code support}.
 *
 * <p>{@code -Djitney.crash.rounds=500} makes a test longer, and {@code -Djitney.crash.seed=42} repeats its random
 * choices.
 */
@NullMarked
package dev.jitney.crash;

import org.jspecify.annotations.NullMarked;
