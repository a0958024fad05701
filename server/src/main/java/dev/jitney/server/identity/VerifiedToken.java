package dev.jitney.server.identity;

/**
 * A token whose signature is valid.
 *
 * @param claims   its claims
 * @param keyPrint the thumbprint of the key that signed it
 */
record VerifiedToken(TokenReader.Unverified claims, String keyPrint) {}
