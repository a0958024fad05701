package dev.jitney.testing.amqp;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A generator of shared access signatures like those of the SDKs (wire reference 2.4). */
public final class SasToken {

    private SasToken() {}

    /** Returns a token for everything below {@code resource} that expires {@code expirySeconds} after the epoch. */
    public static String create(String resource, String rule, String key, long expirySeconds) {
        try {
            String encoded = URLEncoder.encode(resource, StandardCharsets.UTF_8);
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] signature = mac.doFinal((encoded + "\n" + expirySeconds).getBytes(StandardCharsets.UTF_8));
            return "SharedAccessSignature sr=" + encoded + "&sig="
                    + URLEncoder.encode(Base64.getEncoder().encodeToString(signature), StandardCharsets.UTF_8)
                    + "&se=" + expirySeconds + "&skn=" + URLEncoder.encode(rule, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
