package dev.jitney.gateway.http.atom;

import org.jspecify.annotations.Nullable;

/**
 * An entry of an answer: what SDKs read in its envelope, and its content (HTTP reference 2.5).
 *
 * @param id absolute URL, in the spelling of the client's request
 * @param selfLink URL of the entry, absolute alone and relative in a feed
 * @param title the bare name
 * @param publishedMs when it was created, milliseconds since the epoch, or null
 * @param updatedMs when it was last changed, milliseconds since the epoch
 * @param author name of the namespace, or null
 * @param content the description, or null if only the name is told
 */
public record AtomEntry(
        String id,
        String selfLink,
        String title,
        @Nullable Long publishedMs,
        long updatedMs,
        @Nullable String author,
        @Nullable AtomContent content) {}
