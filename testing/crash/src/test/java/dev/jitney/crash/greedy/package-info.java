/**
 * Tests with clients that claim memory in every possible way from a server with a small heap, while a well-behaved
 * client works, and another one connects at the height of each attack ({@link dev.jitney.crash.greedy.Newcomer}). In reading order: {@link dev.jitney.crash.greedy.GreedyClientsTest}, {@link
 * dev.jitney.crash.greedy.Attack}, {@link dev.jitney.crash.greedy.Script} (the bytes of a greedy client), {@link
 * dev.jitney.crash.greedy.GreedyClients} (thousands of them on one thread), then the attacks.
 *
 * <p>Options:
 * <ul>
 * <li>{@code -Djitney.greedy.heap=1g}: the heap of the server
 * <li>{@code -Djitney.greedy.scale=5}: multiplies connections and messages
 * <li>{@code -Djitney.greedy.only=PATTERN}: runs only attacks whose names contain the pattern
 * <li>{@code -Djitney.greedy.histogram=true}: prints the largest classes of the server's heap after each attack, and
 *     the last known ones of a server that ended
 * </ul>
 */
@NullMarked
package dev.jitney.crash.greedy;

import org.jspecify.annotations.NullMarked;
