/**
 * Transactions (semantics chapter 16) and their participants in the view of decisions. An operation is checked when it is
 * made. A commit makes all decisions that can still be refused before it applies anything, so that all its changes are
 * one batch of rows or nothing.
 *
 * <p>Read {@link dev.jitney.core.transaction.TransactionView}, then {@code dev.jitney.core.transaction.decide} (the
 * effects of an operation, a commit and a rollback) and {@code dev.jitney.core.transaction.state} (the operations of a
 * transaction).
 */
@NullMarked
package dev.jitney.core.transaction;

import org.jspecify.annotations.NullMarked;
