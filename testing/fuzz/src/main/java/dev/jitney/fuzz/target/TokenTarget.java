package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.input.TokenTexts;
import dev.jitney.fuzz.server.FuzzedBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.FuzzedTokens;
import dev.jitney.runtime.security.Grant;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A shared access signature, put for the queue {@code q}. It is refused with a reason, or it is signed, has not
 * expired, names the queue or the whole namespace, and permits nothing else. {@value TokenTexts#SIGNATURE} stands for a
 * valid signature.
 */
final class TokenTarget implements FuzzTarget {
    private static final EntityAddress AUDIENCE = EntityAddress.parse("/q");
    private static final AccessRule RULE = AccessRule.root(FuzzedBroker.KEY);
    private static final List<EntityAddress> OTHERS =
            Stream.of("/t", "/qq", "/x/q", "/").map(EntityAddress::parse).toList();
    private static final long NOW_MS = 1_795_244_503_000L;
    private static final String SCHEME = "sharedaccesssignature ";

    @Override
    public String name() {
        return "token";
    }

    @Override
    public byte[] generate(Random random) {
        return new TokenTexts(random).next().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void run(byte[] input) {
        String token = TokenTexts.signed(new String(input, StandardCharsets.UTF_8));
        Grant grant;
        try {
            grant = FuzzedTokens.check(token, AUDIENCE, RULE, NOW_MS);
        } catch (AuthenticationException refused) {
            if (refused.rejection().description().isBlank()) {
                throw new AssertionError("Expected a reason for the refusal, but got " + refused.rejection() + ".");
            }
            return;
        }
        Map<String, String> fields = fields(token);
        String resource = fields.getOrDefault("sr", "");
        String path = path(resource);
        boolean whole = path.isEmpty();
        if (!decoded(fields.getOrDefault("sig", ""))
                        .equals(TokenTexts.signature(resource, fields.getOrDefault("se", "")))
                || !grant.permits(AccessRight.SEND, AUDIENCE, NOW_MS)
                || !whole && !path.equals("q") && !path.startsWith("q/")) {
            throw new AssertionError("Expected no grant, but got " + grant + " for " + fields + ".");
        }
        for (EntityAddress other : OTHERS) {
            if (!whole && grant.permits(AccessRight.SEND, other, NOW_MS)) {
                throw new AssertionError("Expected a grant for q only, but got " + grant + " for " + fields + ".");
            }
        }
    }

    /** Returns the fields of a token by a lenient reading. */
    private static Map<String, String> fields(String token) {
        String text = token.strip();
        Map<String, String> out = new HashMap<>();
        if (text.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            for (String field : text.substring(SCHEME.length()).strip().split("&")) {
                String[] parts = field.split("=", 2);
                if (parts.length == 2) {
                    out.putIfAbsent(parts[0], parts[1]);
                }
            }
        }
        return out;
    }

    /** Returns the path of a resource, in lower case and without slashes around it. */
    private static String path(String resource) {
        String uri = decoded(resource).replace('\\', '/').toLowerCase(Locale.ROOT);
        String behind = uri.replaceFirst("^[a-z][a-z0-9+.-]*://", "");
        String[] hostAndPath = behind.split("[?#]", 2)[0].split("/", 2);
        // Addresses may be escaped once more than in a form.
        String path = hostAndPath.length < 2 ? "" : decoded(hostAndPath[1]).replace('\\', '/');
        return Stream.of(path.toLowerCase(Locale.ROOT).split("/"))
                .filter(segment -> !segment.isEmpty())
                .collect(Collectors.joining("/"));
    }

    /** Decodes escapes; a percent sign that begins no escape stays. */
    private static String decoded(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[octets.length];
        int length = 0;
        for (int at = 0; at < octets.length; at++) {
            int high = at + 2 < octets.length ? Character.digit(octets[at + 1], 16) : -1;
            int low = at + 2 < octets.length ? Character.digit(octets[at + 2], 16) : -1;
            if (octets[at] == '%' && high >= 0 && low >= 0) {
                out[length++] = (byte) (high << 4 | low);
                at += 2;
            } else {
                out[length++] = octets[at];
            }
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    @Override
    public List<byte[]> words() {
        return Stream.concat(
                        Stream.of(TokenTexts.RESOURCES),
                        Stream.of(
                                "&sr=",
                                "&sig=",
                                "&se=",
                                "&skn=",
                                TokenTexts.SIGNATURE,
                                "%2f",
                                "%5c",
                                "%00",
                                "://",
                                "?"))
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
