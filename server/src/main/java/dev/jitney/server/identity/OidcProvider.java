package dev.jitney.server.identity;

import dev.jitney.model.ClientText;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.AuthenticationException.Reason;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.LoginProvider;
import dev.jitney.runtime.security.Permission;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * An identity provider of OpenID Connect. It has one thread, which reads keys and exchanges codes; all checks run on the threads of the
 * callers. Life cycle: opened once, closed once; after that, it still verifies with the keys that it has.
 */
public final class OidcProvider implements IdentityProvider, AutoCloseable {
    private static final long READ_TIMEOUT_MS = 10_000;

    private final OidcSettings settings;
    private final TokenReader reader;
    private final KeyCache keys;
    private final ScheduledExecutorService executor;
    private final LoginProvider login;

    OidcProvider(OidcSettings settings, KeyCache keys, ScheduledExecutorService executor) {
        this(settings, keys, executor, LoginProvider.NONE);
    }

    private OidcProvider(OidcSettings settings, KeyCache keys, ScheduledExecutorService executor, LoginProvider login) {
        this.login = login;
        this.settings = settings;
        this.keys = keys;
        this.executor = executor;
        this.reader = new TokenReader(settings);
    }

    /**
     * Opens the provider. Its keys are read in the background, so the server starts without it.
     *
     * @throws IOException if the file with certificates, or with keys, cannot be used
     */
    public static OidcProvider open(OidcSettings settings) throws IOException {
        return open(settings, READ_TIMEOUT_MS, () -> System.nanoTime() / 1_000_000);
    }

    static OidcProvider open(OidcSettings settings, long readTimeoutMs, LongSupplier clockMs) throws IOException {
        SSLContext tls = settings.caFile() == null ? null : trusting(settings.caFile());
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "identity-keys");
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        Path file = settings.keysFile();
        KeySource source = file != null
                ? new FileKeySource(file)
                : new HttpKeySource(settings.issuer(), settings.jwksUri(), tls, readTimeoutMs, executor);
        KeyCache keys = new KeyCache(source, executor, clockMs);
        if (file != null) {
            requireKeys(source, executor);
        }
        keys.start();
        return new OidcProvider(settings, keys, executor, flow(settings, keys, tls, readTimeoutMs, executor, clockMs));
    }

    private static LoginProvider flow(
            OidcSettings settings,
            KeyCache keys,
            @Nullable SSLContext tls,
            long timeoutMs,
            ScheduledExecutorService executor,
            LongSupplier clockMs) {
        LoginSettings login = settings.login();
        if (login == null) {
            return LoginProvider.NONE;
        }
        TokenReader idTokens = new TokenReader(settings.forAudience(login.clientId()));
        TokenReader accessTokens = new TokenReader(settings);
        return new CodeFlow(
                settings,
                login,
                (token, nowMs) -> verified(keys, idTokens, token, nowMs),
                (token, nowMs) -> verified(keys, accessTokens, token, nowMs),
                tls,
                timeoutMs,
                executor,
                clockMs);
    }

    /** A wrong file is a mistake of the operator at the start, unlike a provider that is away. */
    private static void requireKeys(KeySource source, ScheduledExecutorService executor) throws IOException {
        try {
            source.read().thenApply(ProviderKeys::parse).join();
        } catch (CompletionException wrong) {
            executor.shutdownNow();
            throw new IOException("--oidc-keys " + source + ": "
                    + (wrong.getCause() == null ? wrong : wrong.getCause()).getMessage());
        }
    }

    private static SSLContext trusting(Path caFile) throws IOException {
        try (InputStream in = Files.newInputStream(caFile)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + number++, each);
            }
            if (number == 0) {
                throw new IOException("--oidc-ca " + caFile + ": Expected certificates in PEM, but there is none.");
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "--oidc-ca " + caFile + ": Expected certificates in PEM, but they cannot be read.", e);
        }
    }

    @Override
    public boolean isConfigured() {
        return true;
    }

    @Override
    public CompletionStage<Identity> verify(String token, long nowMs) {
        return verified(keys, reader, token, nowMs)
                .thenApply(verified -> new Identity(
                        verified.claims().subject(),
                        verified.claims().name(),
                        verified.claims().roles(),
                        settings.roles().permissionsOf(verified.claims().roles()),
                        verified.claims().expiresAtMs(),
                        verified.keyPrint()));
    }

    /** Verifies a token: at once if its key is known, otherwise when the keys have been read. */
    private static CompletionStage<VerifiedToken> verified(
            KeyCache keys, TokenReader reader, String token, long nowMs) {
        try {
            TokenReader.Unverified claims = reader.read(token, nowMs);
            String keyId = claims.header().getKeyID();
            if (!keys.keys().withId(keyId).isEmpty()) {
                return CompletableFuture.completedFuture(verified(keys, claims));
            }
            CompletionStage<Void> read = keys.readAgain();
            if (read == null) {
                throw unknownKey(keys, keyId);
            }
            return read.thenApply(done -> {
                try {
                    return verified(keys, claims);
                } catch (AuthenticationException refused) {
                    throw new CompletionException(refused);
                }
            });
        } catch (AuthenticationException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private static VerifiedToken verified(KeyCache keys, TokenReader.Unverified claims) throws AuthenticationException {
        List<ProviderKeys.Key> candidates = keys.keys().withId(claims.header().getKeyID());
        if (candidates.isEmpty()) {
            throw unknownKey(keys, claims.header().getKeyID());
        }
        for (ProviderKeys.Key key : candidates) {
            if (key.isFor(claims.header()) && key.verifies(claims.header(), claims.signed(), claims.signature())) {
                return new VerifiedToken(claims, key.print());
            }
        }
        throw AuthenticationException.of(Reason.INVALID_SIGNATURE, "The token has an invalid signature.");
    }

    private static AuthenticationException unknownKey(KeyCache keys, @Nullable String keyId) {
        if (keys.failure() != null || keys.keys().isEmpty()) {
            return AuthenticationException.of(
                    Reason.UNAVAILABLE,
                    "The keys of the identity provider cannot be read now, so the token cannot be verified. Try again in 10"
                            + " seconds.");
        }
        return AuthenticationException.of(
                Reason.INVALID_SIGNATURE,
                "Expected a token that a current key of the identity provider signs, but its key '"
                        + ClientText.abbreviate(String.valueOf(keyId)) + "' is unknown.");
    }

    @Override
    public LoginProvider login() {
        return login;
    }

    @Override
    public long version() {
        return keys.version();
    }

    @Override
    public boolean trusts(Identity identity) {
        return keys.keys().has(identity.keyId());
    }

    @Override
    public List<Permission> permissionsOf(Collection<String> roles) {
        return settings.roles().permissionsOf(roles);
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            executor.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
