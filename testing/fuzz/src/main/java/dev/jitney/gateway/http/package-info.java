/** Access for the fuzzer to package-private classes of the HTTP gateway. */
@NullMarked
package dev.jitney.gateway.http;

import org.jspecify.annotations.NullMarked;
