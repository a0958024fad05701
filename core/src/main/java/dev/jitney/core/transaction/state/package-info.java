/**
 * The pending operations of transactions: {@link dev.jitney.core.transaction.state.OpenTransaction}, which the shard
 * holds.
 */
@NullMarked
package dev.jitney.core.transaction.state;

import org.jspecify.annotations.NullMarked;
