/**
 * Messages in the operator API: finding, showing and changing them.
 *
 * <p>Read in this order: {@code MessageSearch} searches for messages and {@code MessageGroups} counts them, both as a {@code MessageScan}, and
 * {@code MessageDocument} shows one. {@code MessageActions} checks the rights for changes and makes a {@code MessageAction}, which
 * {@code MessageActs} performs for each chosen message; {@code ResentMessage} sends a message again, and {@code MessageEdit} turns a message and a
 * document of changes into a message to send.
 */
@NullMarked
package dev.jitney.gateway.http.operator.message;

import org.jspecify.annotations.NullMarked;
