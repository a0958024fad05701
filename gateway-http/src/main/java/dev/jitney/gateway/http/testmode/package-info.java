/**
 * The requests of tests below {@code /$test}: namespaces, resets, the clock, faults and the history of messages. They exist only in test
 * mode. {@link dev.jitney.gateway.http.testmode.TestModeHandler} takes the requests, {@link
 * dev.jitney.gateway.http.testmode.TestModeAccess} names their clients, {@link dev.jitney.gateway.http.testmode.TestBody} checks what they
 * send, and {@link dev.jitney.gateway.http.testmode.TestServer} is what they need from the server around the broker.
 */
@NullMarked
package dev.jitney.gateway.http.testmode;

import org.jspecify.annotations.NullMarked;
