package dev.jitney.gateway.http.atom;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The destinations of forwarding: absolute URLs in requests and responses, plain names in configuration files (HTTP
 * reference 2.9).
 */
final class ForwardUrls {
    private static final int CHARACTERS_MAX = 4_096;
    private static final Pattern FORM = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://([^/?#\\s]+)(/[^?#\\s]+)");

    /**
     * A URL of a response behind a host. The Java SDK does not know the scheme {@code sb}, so it takes the URL in a response for a name
     * and puts its host before it. No entity has such a path, because of its two slashes.
     */
    private static final Pattern PREFIXED = Pattern.compile("https?://[^/?#\\s]+/(sb://.+)");

    private ForwardUrls() {}

    /** Reads an element: null if it is omitted, otherwise the URL with scheme and host in lower case. */
    static @Nullable String read(Elements in, String name) throws MalformedEntryException {
        String value = in.word(name);
        if (value == null) {
            return null;
        }
        Matcher prefixed = PREFIXED.matcher(value);
        Matcher url = FORM.matcher(prefixed.matches() ? prefixed.group(1) : value);
        if (value.length() > CHARACTERS_MAX || !url.matches()) {
            throw Elements.expected(name, "an absolute URL such as sb://host/queue", value);
        }
        return url.group(1).toLowerCase(Locale.ROOT) + "://" + url.group(2).toLowerCase(Locale.ROOT) + url.group(3);
    }

    /** Returns the URL in a response for a stored destination. */
    static @Nullable String shown(@Nullable String stored, Dialect dialect) {
        return stored == null || stored.contains("://") ? stored : "sb://" + dialect.authority() + "/" + stored;
    }
}
