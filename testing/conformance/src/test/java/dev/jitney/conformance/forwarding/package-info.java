/**
 * Chapter 9 and the transfers of chapter 8: forwarding, and what becomes of messages that cannot go on. Most tests use three
 * stores, so that a chain crosses from one to the next.
 */
@NullMarked
package dev.jitney.conformance.forwarding;

import org.jspecify.annotations.NullMarked;
