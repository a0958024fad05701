/**
 * The tokens of an identity provider (OpenID Connect): JSON Web Tokens, their keys, and the rights of their roles
 * (docs/adr/0039). Only this package uses the library for tokens, and only a server with an identity provider loads it.
 *
 * <p>Read in this order: {@link dev.jitney.server.identity.OidcSettings},
 * {@link dev.jitney.server.identity.RoleMap} (rights of roles), {@link dev.jitney.server.identity.OidcProvider},
 * {@link dev.jitney.server.identity.TokenReader} (the claims), {@link dev.jitney.server.identity.ProviderKeys} (the keys),
 * {@link dev.jitney.server.identity.KeyCache} (when they are fetched), {@link dev.jitney.server.identity.KeySource} and its
 * implementations {@link dev.jitney.server.identity.HttpKeySource} and {@link dev.jitney.server.identity.FileKeySource}.
 *
 * <p>The login of people (docs/adr/0043): {@link dev.jitney.server.identity.LoginSettings}, {@link
 * dev.jitney.server.identity.CodeFlow}, and {@link dev.jitney.server.identity.ProviderDocument} with the addresses of the provider.
 * {@link dev.jitney.server.identity.VerifiedToken} is a token with a valid signature, and {@link
 * dev.jitney.server.identity.BoundedBody} limits the answers of the provider.
 */
@NullMarked
package dev.jitney.server.identity;

import org.jspecify.annotations.NullMarked;
