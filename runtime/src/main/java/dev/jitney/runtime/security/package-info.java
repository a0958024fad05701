/**
 * Shared access signatures: {@link dev.jitney.runtime.security.SharedAccessSignature} reads and checks tokens,
 * {@link dev.jitney.runtime.security.Grant} is what a valid one permits, {@link
 * dev.jitney.runtime.security.KeyCredential} is a rule name and a key in place of tokens. Used by every gateway.
 */
@NullMarked
package dev.jitney.runtime.security;

import org.jspecify.annotations.NullMarked;
