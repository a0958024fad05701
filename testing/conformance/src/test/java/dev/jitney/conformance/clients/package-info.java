/**
 * Collects the results of the tests per client and feature, and generates {@code docs/reference/clients.md} from them.
 *
 * <p>{@link dev.jitney.conformance.clients.Client} tells by the class of a test which client ran, and
 * {@link dev.jitney.conformance.clients.Feature} tells by the requirement ids in its name which features it proves.
 * {@link dev.jitney.conformance.clients.ClientResults} listens in every Java machine that runs tests and writes one file;
 * {@link dev.jitney.conformance.clients.ClientsPageCheck} runs last, reads all files and compares the page.
 */
@NullMarked
package dev.jitney.conformance.clients;

import org.jspecify.annotations.NullMarked;
