/**
 * The administration API over HTTP: requests for entities, rules, lists and the namespace become calls of {@link
 * dev.jitney.runtime.Namespace} (HTTP reference 2).
 *
 * <p>Reading order: {@link dev.jitney.gateway.http.admin.AdminHandler} determines the resource of a request and checks
 * its authorization; {@link dev.jitney.gateway.http.admin.AdminTarget} parses its path; one class per kind of resource
 * does the work; {@link dev.jitney.gateway.http.admin.AdminErrors} creates the refusals. The XML is read and written in
 * {@code dev.jitney.gateway.http.atom}.
 *
 * <p>The gateway itself depends on it. The operator API shares {@link dev.jitney.gateway.http.admin.ChangesUnderWay} and the generator of
 * keys.
 */
@NullMarked
package dev.jitney.gateway.http.admin;

import org.jspecify.annotations.NullMarked;
