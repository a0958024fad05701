/**
 * Transactions (semantics chapter 16) as decisions see them, and who takes part in them. An operation is judged when it is made;
 * a commit decides everything that could still be refused before anything of it is applied, so that all of it is one batch of
 * rows or nothing.
 *
 * <p>Read {@link dev.jitney.core.transaction.TransactionView}, then {@code dev.jitney.core.transaction.decide} (what an operation,
 * a commit and a rollback lead to) and {@code dev.jitney.core.transaction.state} (what a transaction has gathered).
 */
@NullMarked
package dev.jitney.core.transaction;

import org.jspecify.annotations.NullMarked;
