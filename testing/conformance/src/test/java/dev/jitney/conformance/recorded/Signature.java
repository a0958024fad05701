package dev.jitney.conformance.recorded;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A generator of tokens in the spellings of the SDKs (HTTP 1.4): the same signature with other escapes and another
 * field order.
 */
final class Signature {
    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

    private Signature() {}

    /** Returns a text with percent escapes in lower case. */
    static String lower(String text) {
        return ESCAPE.matcher(upper(text)).replaceAll(found -> found.group().toLowerCase(Locale.ROOT));
    }

    /** Returns a text with percent escapes in upper case. */
    static String upper(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Returns the signature over an encoded audience. */
    static String of(String encodedAudience, long expirySeconds, String key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getEncoder()
                    .encodeToString(
                            mac.doFinal((encodedAudience + "\n" + expirySeconds).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
