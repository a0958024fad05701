/**
 * The memory that clients claim, counted for the whole process.
 *
 * <p>Read in this order: {@link dev.jitney.runtime.memory.MemoryPurpose} (the kinds of claims),
 * {@link dev.jitney.runtime.memory.ClientMemory} (the budget and its rules of fairness),
 * {@link dev.jitney.runtime.memory.MemoryAccount} (the claims of one connection). Gateways open an account for each
 * connection. The package does not depend on sockets, clocks or the broker.
 */
@NullMarked
package dev.jitney.runtime.memory;

import org.jspecify.annotations.NullMarked;
