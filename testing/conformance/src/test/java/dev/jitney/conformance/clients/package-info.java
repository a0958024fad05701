/**
 * Collects the results of the tests per client and feature, and generates {@code docs/reference/clients.md} from them.
 *
 * <p>Reading order:
 *
 * <ul>
 *   <li>{@link dev.jitney.conformance.clients.Client} finds the client of a test by its class.
 *   <li>{@link dev.jitney.conformance.clients.Feature} finds the features of a test by the requirement ids in its name.
 *   <li>{@link dev.jitney.conformance.clients.ClientResults} listens in every process that runs tests and writes one file.
 *   <li>{@link dev.jitney.conformance.clients.ClientsPageCheck} runs last, reads all files and compares the page.
 * </ul>
 */
@NullMarked
package dev.jitney.conformance.clients;

import org.jspecify.annotations.NullMarked;
