/**
 * Tests of administration by the official clients, unmodified: the current Java client, the track 1 Java client in its
 * own process, and the JavaScript client in the test runner of Node (HTTP reference, chapters 1 and 2). Raw HTTP and
 * the requests of the other languages are in {@code dev.jitney.conformance.recorded}.
 */
@NullMarked
package dev.jitney.conformance.admin;

import org.jspecify.annotations.NullMarked;
