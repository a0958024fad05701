/** The door to what the HTTP gateway shows its own package only. */
@NullMarked
package dev.jitney.gateway.http;

import org.jspecify.annotations.NullMarked;
