/**
 * The state that the model knows: {@code StoredEntity} and {@code MessageCopy} (stored messages), {@code Listener} and {@code
 * Lock} (who holds them), {@code Request} and {@code TransactionModel} (what was asked for), {@code Timeline} (the order of all
 * that), and {@code ModelState}, which has all of it. Fields are public because the judges of the other packages change them;
 * nobody outside of the model does.
 *
 * <p>All packages of the model but {@code row} depend on it.
 */
@NullMarked
package dev.jitney.simulation.model.state;

import org.jspecify.annotations.NullMarked;
