/**
 * The basis of the conformance tests. {@link dev.jitney.conformance.support.TestBroker} runs the real server in this
 * process with a {@link dev.jitney.conformance.support.TestClock}, {@link dev.jitney.conformance.support.Sdk} creates
 * clients of the official Java SDK for it, and {@link dev.jitney.conformance.support.Await} polls.
 */
@NullMarked
package dev.jitney.conformance.support;

import org.jspecify.annotations.NullMarked;
