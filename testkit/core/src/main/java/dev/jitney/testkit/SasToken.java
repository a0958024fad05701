package dev.jitney.testkit;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shared access signatures for the requests of the kit. */
final class SasToken {
    private static final long VALID_SECONDS = 24 * 3600;

    private SasToken() {}

    /** Returns the value of the header {@code Authorization} for all entities of the namespace of a key. */
    static String of(int port, String keyName, String key) {
        String resource = encoded("http://127.0.0.1:" + port);
        // Security time, which the clock of messages does not move.
        long expiry = System.currentTimeMillis() / 1000 + VALID_SECONDS;
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] signature = mac.doFinal((resource + "\n" + expiry).getBytes(StandardCharsets.UTF_8));
            return "SharedAccessSignature sr=" + resource + "&sig="
                    + encoded(Base64.getEncoder().encodeToString(signature)) + "&se=" + expiry + "&skn="
                    + encoded(keyName);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected HmacSHA256, which every Java machine has.", e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
