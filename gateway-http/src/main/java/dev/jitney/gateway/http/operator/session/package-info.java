/**
 * Sessions in the operator API.
 *
 * <p>{@code SessionOperations} checks the rights and starts the operations: {@code SessionList} lists sessions, {@code SingleSession}
 * shows one or its state, {@code SessionChange} unlocks one or clears its state, and {@code SessionResubmission} sends the dead letters of
 * one again. {@code SessionDocument} is the JSON form of a session.
 */
@NullMarked
package dev.jitney.gateway.http.operator.session;

import org.jspecify.annotations.NullMarked;
