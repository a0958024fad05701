/**
 * The decisions of transactions: {@link dev.jitney.core.transaction.decide.TransactionDecider} decides operations, the
 * commit and the rollback. This package uses only views. It depends on {@code core.queue.decide} and {@code core.topic}.
 */
@NullMarked
package dev.jitney.core.transaction.decide;

import org.jspecify.annotations.NullMarked;
