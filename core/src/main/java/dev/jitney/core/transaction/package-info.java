/**
 * Transactions (semantics chapter 16): what one has gathered, what an operation in it leads to, and what its commit or
 * rollback does to the entities it touched. An operation is judged when it is made; a commit decides everything that
 * could still be refused before anything of it is applied, so that all of it is one batch of rows or nothing.
 *
 * <p>Read {@link dev.jitney.core.transaction.OpenTransaction}, then
 * {@link dev.jitney.core.transaction.TransactionDecider}. Depends on {@code core.queue} and {@code core.topic}.
 */
@NullMarked
package dev.jitney.core.transaction;

import org.jspecify.annotations.NullMarked;
