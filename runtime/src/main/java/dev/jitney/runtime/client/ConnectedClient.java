package dev.jitney.runtime.client;

import dev.jitney.model.ClientText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client. All texts are from the client, have at most {@value #TEXT_MAX} characters, and are empty if it sent none.
 *
 * @param number its number, unique in the process and larger than those of older connections
 * @param containerId the container id of the client
 * @param address IP address and port of the client
 * @param product the SDK or library
 * @param version the version of the product
 * @param platform the platform of the product
 * @param userAgent a longer description of the product
 * @param sinceMs the time at which it was opened, in milliseconds since the epoch
 * @param unsettled deliveries on all its links that it has not settled
 * @param linkCount its links that carry messages of the entity
 * @param links the first of these links, at most {@value #LINKS_MAX}
 */
public record ConnectedClient(
        long number,
        String containerId,
        String address,
        String product,
        String version,
        String platform,
        String userAgent,
        long sinceMs,
        int unsettled,
        int linkCount,
        List<ClientLink> links) {
    /** The limit of links that are described. */
    public static final int LINKS_MAX = 50;

    /** The limit of characters in texts of the client. */
    public static final int TEXT_MAX = 256;

    /** Returns a text of a client as it is described: its beginning, without characters that a terminal interprets. */
    public static String text(@Nullable String text) {
        if (text == null) {
            return "";
        }
        String beginning = text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX);
        String safe = ClientText.oneLine(beginning);
        return safe.length() <= TEXT_MAX ? safe : safe.substring(0, TEXT_MAX);
    }
}
