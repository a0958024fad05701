package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.AccessRuleXml;
import java.security.SecureRandom;
import java.util.Base64;

/** A generator of keys like those of the service: 32 random bytes in base64, 44 characters. Any thread may call it. */
public final class NewKeys implements AccessRuleXml.Keys {
    private static final int BYTES = 32;

    private final SecureRandom random = new SecureRandom();

    @Override
    public String next() {
        byte[] key = new byte[BYTES];
        random.nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }
}
