/**
 * Decisions of transactions: {@link dev.jitney.core.transaction.decide.TransactionDecider} decides operations, the commit and
 * the rollback. Sees views only. Depends on {@code core.queue.decide} and {@code core.topic}.
 */
@NullMarked
package dev.jitney.core.transaction.decide;

import org.jspecify.annotations.NullMarked;
