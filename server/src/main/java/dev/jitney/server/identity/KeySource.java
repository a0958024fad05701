package dev.jitney.server.identity;

import java.util.concurrent.CompletableFuture;

/** The place from which the keys of the identity provider come. */
interface KeySource {
    /** The limit of a document with keys, or of a discovery document, in bytes. */
    int DOCUMENT_BYTES_MAX = 256 * 1024;

    /**
     * Starts to read the document with the keys (RFC 7517, section 5).
     *
     * @return completes within a bounded time. A failure has a message for operators.
     */
    CompletableFuture<String> read();

    /** Returns the time between two regular reads, in milliseconds. */
    long refreshMs();

    /** Returns the place, for people. */
    @Override
    String toString();
}
