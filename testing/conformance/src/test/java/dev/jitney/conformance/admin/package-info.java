/**
 * Administration by the official clients, unmodified: the Java one of today, the Java one of track 1 in a Java machine of
 * its own, and the JavaScript one by the test runner of Node (HTTP reference, chapters 1 and 2). Raw HTTP and the requests
 * of the other languages are in {@code dev.jitney.conformance.recorded}.
 */
@NullMarked
package dev.jitney.conformance.admin;

import org.jspecify.annotations.NullMarked;
