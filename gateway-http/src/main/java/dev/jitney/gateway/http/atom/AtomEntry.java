package dev.jitney.gateway.http.atom;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a response: the envelope for SDKs, and its content (HTTP reference 2.5).
 *
 * @param id absolute URL, in the spelling of the client's request
 * @param selfLink URL of the entry, absolute alone and relative in a feed
 * @param title the bare name
 * @param publishedMs time of creation in milliseconds since the epoch, or null
 * @param updatedMs time of the last change in milliseconds since the epoch
 * @param author name of the namespace, or null
 * @param content the description, or null for an entry with a name only
 */
public record AtomEntry(
        String id,
        String selfLink,
        String title,
        @Nullable Long publishedMs,
        long updatedMs,
        @Nullable String author,
        @Nullable AtomContent content) {}
