package dev.jitney.fuzz.input;

import dev.jitney.server.identity.FuzzedIdentities;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;

/**
 * Tokens of an identity provider. As text, a token is its header, its claims and its signature in one line each;
 * {@value #SIGNATURE} stands for the right signature.
 */
public final class JwtTexts {
    public static final String SIGNATURE = "SIGNATURE";

    private static final String[] HEADERS = {
        "{\"alg\":\"RS256\",\"kid\":\"k1\"}",
        "{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"at+jwt\"}",
        "{\"alg\":\"PS256\",\"kid\":\"k1\"}",
        "{\"alg\":\"ES256\",\"kid\":\"k1\"}",
        "{\"alg\":\"none\",\"kid\":\"k1\"}",
        "{\"alg\":\"HS256\",\"kid\":\"k1\"}",
        "{\"alg\":\"RS256\",\"kid\":\"k2\"}",
        "{\"alg\":\"RS256\"}",
        "{\"alg\":\"RS256\",\"kid\":\"k1\",\"crit\":[\"b64\"],\"b64\":false}",
        "{\"alg\":[],\"kid\":{}}",
        "{}"
    };
    private static final String[] ROLES = {
        "\"roles\":[\"Azure Service Bus Data Owner\"]",
        "\"roles\":[\"sender\",7,null,{}]",
        "\"groups\":\"sender\"",
        "\"realm_access\":{\"roles\":[\"Azure Service Bus Data Receiver\"]}",
        "\"realm_access\":{\"roles\":{\"roles\":[]}}",
        "\"x\":" + "[".repeat(40)
    };
    private static final String[] EXPIRIES = {"4000000000", "4000000000", "1", "1e300", "-1", "\"4000000000\"", "null"};
    private static final String[] AUDIENCES = {
        "\"" + FuzzedIdentities.AUDIENCE + "\"",
        "[\"x\",\"" + FuzzedIdentities.AUDIENCE + "\"]",
        "\"x\"",
        "[[]]",
        "null"
    };

    private final Random random;

    public JwtTexts(Random random) {
        this.random = random;
    }

    /** Returns a token as text. */
    public String next() {
        String issuer = random.nextInt(8) == 0 ? "https://evil.example.com" : FuzzedIdentities.ISSUER;
        String claims = "{\"iss\":\"" + issuer + "\",\"sub\":\"a\",\"aud\":" + one(AUDIENCES) + ",\"exp\":"
                + one(EXPIRIES) + ",\"nbf\":" + (random.nextInt(4) == 0 ? one(EXPIRIES) : "0") + "," + one(ROLES) + "}";
        String header = random.nextBoolean() ? HEADERS[0] : one(HEADERS);
        String signature = random.nextInt(4) == 0 ? "YWJj" : SIGNATURE;
        return header + "\n" + claims + "\n" + signature;
    }

    private String one(String[] of) {
        return of[random.nextInt(of.length)];
    }

    /** Returns the token that a text describes; a text that does not have three lines is the token itself. */
    public static String token(String text) {
        String[] lines = text.split("\n", -1);
        if (lines.length != 3) {
            return text;
        }
        return lines[2].equals(SIGNATURE)
                ? FuzzedIdentities.signed(lines[0], lines[1])
                : base64(lines[0]) + "." + base64(lines[1]) + "." + lines[2];
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
