/** The door to how messages are made of what comes over HTTP. */
@NullMarked
package dev.jitney.gateway.http.messaging;

import org.jspecify.annotations.NullMarked;
