/**
 * What the conformance tests stand on: {@link dev.jitney.conformance.support.TestBroker} runs the real server in this
 * process under a {@link dev.jitney.conformance.support.TestClock}, {@link dev.jitney.conformance.support.Sdk} makes
 * clients of the official Java SDK for it, {@link dev.jitney.conformance.support.Await} polls.
 */
@NullMarked
package dev.jitney.conformance.support;

import org.jspecify.annotations.NullMarked;
