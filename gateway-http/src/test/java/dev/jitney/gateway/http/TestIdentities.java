package dev.jitney.gateway.http;

import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.LoginProvider;
import dev.jitney.runtime.security.Permission;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** An identity provider whose tokens and roles are names that a test has chosen. */
public final class TestIdentities implements IdentityProvider {
    private final Map<String, List<Permission>> byRole = new ConcurrentHashMap<>();
    private volatile LoginProvider login = LoginProvider.NONE;
    private volatile String withdrawn = "";
    private volatile long version;
    private final AtomicLong verified = new AtomicLong();

    /** Makes a role, whose name is also a token with this role. */
    public void give(String role, Permission... permissions) {
        byRole.put(role, List.of(permissions));
    }

    /** Sets the login of people. */
    public void login(LoginProvider value) {
        login = value;
    }

    /** Makes the key that signed the tokens of a role unknown. */
    public void withdrawKeyOf(String role) {
        withdrawn = "key-of-" + role;
        version++;
    }

    /** Returns the number of tokens that were verified. */
    public long verified() {
        return verified.get();
    }

    /** Returns a user with a role. */
    public Identity identity(String role, long expiresAtMs) {
        return new Identity(
                "id-of-" + role, role, List.of(role), permissionsOf(List.of(role)), expiresAtMs, "key-of-" + role);
    }

    @Override
    public boolean isConfigured() {
        return true;
    }

    @Override
    public CompletionStage<Identity> verify(String token, long nowMs) {
        verified.incrementAndGet();
        return byRole.containsKey(token)
                ? CompletableFuture.completedFuture(identity(token, Long.MAX_VALUE))
                : CompletableFuture.failedFuture(AuthenticationException.of(
                        AuthenticationException.Reason.INVALID_SIGNATURE, "The token has an invalid signature."));
    }

    @Override
    public LoginProvider login() {
        return login;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public boolean trusts(Identity identity) {
        return !identity.keyId().equals(withdrawn);
    }

    @Override
    public List<Permission> permissionsOf(Collection<String> roles) {
        return roles.stream()
                .flatMap(role -> byRole.getOrDefault(role, List.of()).stream())
                .toList();
    }
}
