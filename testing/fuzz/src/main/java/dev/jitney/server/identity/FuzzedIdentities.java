package dev.jitney.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.security.IdentityProvider;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** An identity provider with one key, whose tokens the fuzzer can sign. */
public final class FuzzedIdentities {
    public static final String ISSUER = "https://login.example.com/realms/main";
    public static final String AUDIENCE = "api://jitney";
    public static final String KEY_ID = "k1";

    private static final RSAKey KEY = key();
    private static final IdentityProvider PROVIDER = make();

    private FuzzedIdentities() {}

    /** Returns rules that admit all clients, and the tokens of {@link #provider}. */
    public static ClientAdmission admission() {
        return ClientAdmission.open().withIdentities(provider());
    }

    /** Returns the provider. Its keys never change. */
    public static IdentityProvider provider() {
        return PROVIDER;
    }

    /** Returns a token with the right signature (RS256) of any header and any claims. */
    public static String signed(String header, String claims) {
        String signed = base64(header) + "." + base64(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(KEY.toPrivateKey());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException | JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2_048).keyID(KEY_ID).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IdentityProvider make() {
        KeySource source = new KeySource() {
            @Override
            public CompletableFuture<String> read() {
                return CompletableFuture.completedFuture(new JWKSet(KEY).toString());
            }

            @Override
            public long refreshMs() {
                return Long.MAX_VALUE;
            }
        };
        ScheduledThreadPoolExecutor sameThread = new ScheduledThreadPoolExecutor(0) {
            @Override
            public void execute(Runnable task) {
                task.run();
            }
        };
        KeyCache keys = new KeyCache(source, sameThread, () -> 0);
        keys.tick();
        OidcSettings settings = new OidcSettings(
                ISSUER,
                List.of(AUDIENCE),
                null,
                null,
                null,
                0,
                OidcSettings.NAME_CLAIM,
                OidcSettings.ROLE_CLAIMS,
                RoleMap.of(List.of("sender=Send@first/q")));
        return new OidcProvider(settings, keys, sameThread);
    }
}
