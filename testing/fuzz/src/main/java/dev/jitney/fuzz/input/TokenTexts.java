package dev.jitney.fuzz.input;

import dev.jitney.fuzz.server.FuzzedBroker;
import dev.jitney.model.AccessRule;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Texts of shared access signatures. {@value #SIGNATURE} in a text is the placeholder for the valid signature of the
 * rest.
 */
public final class TokenTexts {
    public static final String SIGNATURE = "{sig}";
    public static final String[] RESOURCES = {
        "sb%3a%2f%2ffirst%2fq",
        "sb%3a%2f%2ffirst%2f",
        "http%3A%2F%2Flocalhost%2Fq%2Fmessages%3Fapi-version%3D2017-04",
        "first%2Ft",
        "first/q",
        "sb%3a%2f%2ffirst%2fq%2f%24management",
        "sb%3a%2f%2ffirst%2fQ%2f%24DeadLetterQueue",
        "sb%3a%2f%2ffirst%2f%2f",
        "sb%3a%2f%2ffirst%2f%24management",
        "sb%3a%2f%2ffirst%5cq",
        "",
        "%",
        "%ff",
        "q"
    };
    private static final String[] EXPIRIES = {"4000000000", "18446744073709551615", "0", "-1", "1e9", "", "99"};
    private static final String[] RULES = {AccessRule.ROOT_NAME, "rootmanagesharedaccesskey", "other", "a%00b", ""};
    private static final Pattern RESOURCE = Pattern.compile("(?:^|[ &])sr=([^&]*)");
    private static final Pattern EXPIRY = Pattern.compile("(?:^|[ &])se=([^&]*)");

    private final Random random;

    public TokenTexts(Random random) {
        this.random = random;
    }

    /** Returns a token with the placeholder for its signature. */
    public String next() {
        String[] fields = {
            "sr=" + one(RESOURCES),
            "sig=" + (random.nextInt(8) == 0 ? "abc%3D" : SIGNATURE),
            "se=" + (random.nextInt(3) == 0 ? one(EXPIRIES) : EXPIRIES[0]),
            "skn=" + (random.nextInt(3) == 0 ? one(RULES) : RULES[0])
        };
        int swap = random.nextInt(fields.length);
        String first = fields[0];
        fields[0] = fields[swap];
        fields[swap] = first;
        String token = "SharedAccessSignature " + String.join("&", fields);
        return random.nextInt(8) == 0 ? token.substring(random.nextInt(token.length())) : token;
    }

    private String one(String[] of) {
        return of[random.nextInt(of.length)];
    }

    /**
     * Inserts the signature that the key of {@link FuzzedBroker} gives for the first resource and the first expiry of
     * the token.
     */
    public static String signed(String token) {
        return token.contains(SIGNATURE)
                ? token.replace(SIGNATURE, percent(signature(field(RESOURCE, token), field(EXPIRY, token))))
                : token;
    }

    private static String field(Pattern field, String token) {
        Matcher found = field.matcher(token);
        return found.find() ? found.group(1) : "";
    }

    /** Returns the signature of a resource and an expiry. */
    public static String signature(String resource, String expiry) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(FuzzedBroker.KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] octets = mac.doFinal((resource + "\n" + expiry).getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(octets);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static String percent(String base64) {
        return base64.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D");
    }
}
