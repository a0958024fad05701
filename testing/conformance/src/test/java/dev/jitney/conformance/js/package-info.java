/** Runs the tests under js/ of the official JavaScript SDK by the test runner of Node. */
@NullMarked
package dev.jitney.conformance.js;

import org.jspecify.annotations.NullMarked;
