package dev.jitney.gateway.http.admin;

import org.jspecify.annotations.Nullable;

/**
 * The values of {@code ETag} and {@code If-Match}: the .NET tick count of {@code UpdatedAt}, unquoted (HTTP reference
 * 2.5).
 */
final class EntityTag {
    private static final long TICKS_OF_1970 = 621_355_968_000_000_000L;
    private static final long TICKS_PER_MS = 10_000;

    private EntityTag() {}

    static String of(long updatedAtMs) {
        return Long.toString(TICKS_OF_1970 + updatedAtMs * TICKS_PER_MS);
    }

    /**
     * Returns whether the condition holds: {@code *}, or a list that contains the tag, quoted or not.
     *
     * @param ifMatch the header field; no condition always holds
     */
    static boolean matches(@Nullable String ifMatch, String tag) {
        if (ifMatch == null) {
            return true;
        }
        for (String part : ifMatch.split(",")) {
            String given = part.strip();
            given = given.startsWith("W/") ? given.substring(2) : given;
            if (given.length() >= 2 && given.startsWith("\"") && given.endsWith("\"")) {
                given = given.substring(1, given.length() - 1);
            }
            if (given.equals("*") || given.equals(tag)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the condition holds for a resource without a tag: only {@code *} does. */
    static boolean matchesAny(@Nullable String ifMatch) {
        return ifMatch == null || ifMatch.strip().equals("*");
    }
}
