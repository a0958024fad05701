/**
 * Judges the replies and deliveries that clients get. Read {@code Answers} and {@code Deliveries} first, then {@code
 * Settlements} (the requests that settle locks), {@code Transactions}, {@code Credits}, and the requests: {@code
 * StoredRequests}, {@code SessionRequests}.
 *
 * <p>The package {@code batch} depends on it.
 */
@NullMarked
package dev.jitney.simulation.model.answer;

import org.jspecify.annotations.NullMarked;
