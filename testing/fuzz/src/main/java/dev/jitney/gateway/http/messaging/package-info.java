/** Access for the fuzzer to the package-private conversion of HTTP requests to messages. */
@NullMarked
package dev.jitney.gateway.http.messaging;

import org.jspecify.annotations.NullMarked;
