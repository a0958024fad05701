package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.input.JwtTexts;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityGrant;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.server.identity.FuzzedIdentities;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A token of an identity provider. It is refused with a reason, or it has the right signature, algorithm, issuer and audience, and
 * has not expired; and it permits nothing after its expiry.
 */
final class IdentityTarget implements FuzzTarget {
    private static final long NOW_MS = 1_795_244_503_000L;
    private static final EntityAddress QUEUE = EntityAddress.parse("/q");

    private final IdentityProvider provider = FuzzedIdentities.provider();

    @Override
    public String name() {
        return "identity";
    }

    @Override
    public byte[] generate(Random random) {
        return new JwtTexts(random).next().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void run(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        CompletableFuture<Identity> verified =
                provider.verify(JwtTexts.token(text), NOW_MS).toCompletableFuture();
        if (!verified.isDone()) {
            throw new AssertionError("Expected an answer at once, because the keys never change, but got none.");
        }
        Identity identity;
        try {
            identity = verified.join();
        } catch (CompletionException failed) {
            if (!(failed.getCause() instanceof AuthenticationException refused)
                    || refused.rejection().description().isBlank()) {
                throw new AssertionError(
                        "Expected a reason for the refusal, but got " + failed.getCause() + ".", failed);
            }
            return;
        }
        boolean genuine = text.endsWith("\n" + JwtTexts.SIGNATURE)
                && text.contains(FuzzedIdentities.ISSUER)
                && text.contains(FuzzedIdentities.AUDIENCE);
        IdentityGrant grant = new IdentityGrant(identity, "first", provider);
        boolean lasts = identity.expiresAtMs() > NOW_MS;
        for (var right : dev.jitney.model.AccessRight.values()) {
            lasts &= !grant.permits(right, QUEUE, identity.expiresAtMs());
        }
        if (!genuine || !lasts) {
            throw new AssertionError("Expected no identity, but got " + identity + " for " + text + ".");
        }
    }
}
