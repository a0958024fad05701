/**
 * The web console: its pages, and the sessions of the browsers that use it (ADR 37).
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.console.ConsoleHandler}, the routes; {@link
 * dev.jitney.gateway.http.console.ConsoleAssets}, the files; {@link dev.jitney.gateway.http.console.LoginHandler} with {@link
 * dev.jitney.gateway.http.console.ConsoleSessions}, the sessions; {@link dev.jitney.gateway.http.console.ProviderLogin}, the login with an
 * identity provider (ADR 43), with {@link dev.jitney.gateway.http.console.PendingLogins} and {@link
 * dev.jitney.gateway.http.console.UserPlace}; {@link dev.jitney.gateway.http.console.RequestOrigin}, the check of the
 * page that caused a request.
 */
@NullMarked
package dev.jitney.gateway.http.console;

import org.jspecify.annotations.NullMarked;
