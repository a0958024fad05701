/**
 * The whole server as a process, mistreated: killed at any moment, out of disk, with little memory, among silent
 * connections. In reading order: {@link dev.jitney.crash.Ledger} (what a client may expect), {@link
 * dev.jitney.crash.KillTest}, {@link dev.jitney.crash.EntityKillTest} (changes of entities), {@link
 * dev.jitney.crash.MixedKillTest} (everything at once, with the official SDK), then the
 * others. Clients that claim memory are in {@code dev.jitney.crash.greedy}.
 *
 * <p>{@code -Djitney.crash.rounds=500 -Djitney.crash.seed=42} runs longer, and again.
 */
@NullMarked
package dev.jitney.crash;

import org.jspecify.annotations.NullMarked;
