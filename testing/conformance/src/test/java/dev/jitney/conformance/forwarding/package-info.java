/**
 * Tests of forwarding, and of messages that cannot be forwarded: chapter 9 and the transfers of chapter 8. Most tests
 * use three stores, so that a chain crosses stores.
 */
@NullMarked
package dev.jitney.conformance.forwarding;

import org.jspecify.annotations.NullMarked;
