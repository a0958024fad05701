/**
 * Shared access signatures: {@link dev.jitney.runtime.security.SharedAccessSignature} parses and verifies tokens,
 * {@link dev.jitney.runtime.security.Grant} has the rights of a valid token, and
 * {@link dev.jitney.runtime.security.KeyCredential} is a rule name and a key instead of tokens. Every gateway uses
 * it.
 */
@NullMarked
package dev.jitney.runtime.security;

import org.jspecify.annotations.NullMarked;
