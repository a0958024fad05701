/**
 * The state of the model. {@code StoredEntity} and {@code MessageCopy} are stored messages, {@code Listener} and {@code
 * Lock} their receivers, {@code Request} and {@code TransactionModel} the requests of clients, and {@code Timeline}
 * their order. {@code ModelState} contains all of them. Fields are public because the judges in the other packages of
 * the model change them; no class outside of the model does.
 *
 * <p>All packages of the model except {@code row} depend on it.
 */
@NullMarked
package dev.jitney.simulation.model.state;

import org.jspecify.annotations.NullMarked;
