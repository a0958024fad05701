/**
 * Clients that claim memory in every way a client has, against a server with a small heap, while a well-behaved client
 * works. In reading order: {@link dev.jitney.crash.greedy.GreedyClientsTest}, {@link dev.jitney.crash.greedy.Attack},
 * {@link dev.jitney.crash.greedy.Script} (the bytes a greedy client sends), {@link dev.jitney.crash.greedy.GreedyClients} (thousands
 * of them on one thread), then the attacks.
 *
 * <p>Options: {@code -Djitney.greedy.heap=1g} (heap of the server), {@code -Djitney.greedy.scale=5} (so many times the
 * connections and messages), {@code -Djitney.greedy.only=PATTERN} (only attacks in whose name this is found), {@code
 * -Djitney.greedy.histogram=true} (prints the largest classes of the server's heap after each attack, and the last ones
 * known of a server that ended).
 */
@NullMarked
package dev.jitney.crash.greedy;

import org.jspecify.annotations.NullMarked;
