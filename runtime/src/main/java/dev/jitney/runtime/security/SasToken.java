package dev.jitney.runtime.security;

import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed shared access signature that is not verified yet (HTTP reference 1.4).
 *
 * @param rawResource  {@code sr} exactly as in the token; the signature covers these characters
 * @param rawExpiry    {@code se} exactly as in the token
 * @param resourcePath {@code sr} decoded, without scheme, authority, query, fragment and surrounding slashes
 * @param signature    {@code sig} decoded
 * @param expiresAtMs  {@code se} in milliseconds since the epoch, capped at {@link Long#MAX_VALUE}
 * @param ruleName     {@code skn} decoded
 */
record SasToken(
        String rawResource,
        String rawExpiry,
        String resourcePath,
        byte[] signature,
        long expiresAtMs,
        String ruleName) {
    private static final String SCHEME = "SharedAccessSignature ";

    /** A scheme as in RFC 3986; removing anything else before a host could hide a path. */
    private static final Pattern SCHEME_OF_URI = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://");

    /** A limit above the longest token of an SDK, which contains a whole escaped request URL. */
    private static final int MAX_CHARACTERS = 8_192;

    private static final int MAX_RULE_NAME = 256;

    /** Performs steps 1 to 4 of HTTP reference 1.5, without using the clock or any rule. */
    static SasToken parse(@Nullable String token) throws AuthenticationException {
        if (token == null || token.isBlank()) {
            throw AuthenticationException.missingToken();
        }
        if (token.length() > MAX_CHARACTERS) {
            throw AuthenticationException.malformed(
                    "Expected a token of at most " + MAX_CHARACTERS + " characters, but got " + token.length() + ".");
        }
        requirePrintable(token);
        String text = token.strip();
        if (!text.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw AuthenticationException.malformed("Expected a token that starts with 'SharedAccessSignature '.");
        }
        Fields fields = Fields.of(text.substring(SCHEME.length()).strip());
        String sr = require(fields.sr, "sr", AuthenticationException.MISSING_AUDIENCE);
        String sig = require(fields.sig, "sig", AuthenticationException.MISSING_SIGNATURE);
        String se = require(fields.se, "se", AuthenticationException.MISSING_EXPIRY);
        String skn = require(fields.skn, "skn", AuthenticationException.MALFORMED_TOKEN);
        return new SasToken(sr, se, pathOf(sr), signatureOf(sig), expiryOf(se), ruleNameOf(skn));
    }

    /** Returns the text that the key signs. */
    String stringToSign() {
        return stringToSign(rawResource, rawExpiry);
    }

    static String stringToSign(String encodedResource, String expiry) {
        return encodedResource + "\n" + expiry;
    }

    private static void requirePrintable(String text) throws AuthenticationException {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw AuthenticationException.malformed("Expected printable characters only, but got U+"
                        + String.format("%04X", (int) text.charAt(i)) + ".");
            }
        }
    }

    private static String require(@Nullable String value, String field, int subCode) throws AuthenticationException {
        if (value == null || value.isEmpty()) {
            throw AuthenticationException.missingField(subCode, field);
        }
        return value;
    }

    private static String pathOf(String sr) throws AuthenticationException {
        String uri = PercentCoding.decode(sr);
        if (uri == null) {
            throw AuthenticationException.malformed("Expected percent-encoded UTF-8 in 'sr'.");
        }
        requirePrintable(uri);
        String rest = SCHEME_OF_URI.matcher(uri).replaceFirst("");
        int end = rest.length();
        for (char stop : new char[] {'?', '#'}) {
            int at = rest.indexOf(stop);
            end = at >= 0 ? Math.min(end, at) : end;
        }
        rest = rest.substring(0, end);
        // Without a scheme, the first segment is the host as well. A backslash ends it, as it separates the others;
        // otherwise a token for a queue would be valid for all of them.
        int slash = rest.replace('\\', '/').indexOf('/');
        return slash < 0 ? "" : rest.substring(slash + 1);
    }

    private static byte[] signatureOf(String sig) throws AuthenticationException {
        String base64 = PercentCoding.decode(sig);
        try {
            if (base64 != null) {
                return Base64.getDecoder().decode(base64);
            }
        } catch (IllegalArgumentException notBase64) {
            // reported below, with the same text
        }
        throw AuthenticationException.malformed("Expected percent-encoded base64 in 'sig'.");
    }

    private static long expiryOf(String se) throws AuthenticationException {
        boolean digits = se.chars().allMatch(c -> c >= '0' && c <= '9');
        try {
            if (digits) {
                long seconds = Long.parseUnsignedLong(se);
                return seconds < 0 || seconds > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : seconds * 1000;
            }
        } catch (NumberFormatException tooLarge) {
            // reported below, with the same text
        }
        throw AuthenticationException.malformed("Expected seconds since 1970 in 'se', an unsigned 64-bit number.");
    }

    private static String ruleNameOf(String skn) throws AuthenticationException {
        // Some SDKs send the name unescaped, so a name that cannot be decoded is taken as it is.
        String decoded = PercentCoding.decode(skn);
        String name = decoded == null ? skn : decoded;
        if (name.length() > MAX_RULE_NAME) {
            throw AuthenticationException.malformed(
                    "Expected a rule name of at most " + MAX_RULE_NAME + " characters in 'skn'.");
        }
        return name;
    }

    /** The four fields in any order; other fields are ignored. */
    private static final class Fields {
        private @Nullable String sr;
        private @Nullable String sig;
        private @Nullable String se;
        private @Nullable String skn;

        static Fields of(String text) throws AuthenticationException {
            Fields fields = new Fields();
            for (int from = 0; from <= text.length(); ) {
                int to = text.indexOf('&', from);
                to = to < 0 ? text.length() : to;
                int equals = text.indexOf('=', from);
                if (equals >= 0 && equals < to) {
                    fields.set(text.substring(from, equals), text.substring(equals + 1, to));
                }
                from = to + 1;
            }
            return fields;
        }

        private void set(String name, String value) throws AuthenticationException {
            switch (name) {
                case "sr" -> sr = once(name, sr, value);
                case "sig" -> sig = once(name, sig, value);
                case "se" -> se = once(name, se, value);
                case "skn" -> skn = once(name, skn, value);
                default -> {}
            }
        }

        private static String once(String name, @Nullable String before, String value) throws AuthenticationException {
            if (before != null) {
                throw AuthenticationException.malformed("Expected the field '" + name + "' once, but it is repeated.");
            }
            return value;
        }
    }
}
