/** HTTP reference chapter 3: messages over HTTP, with the official Java SDK at the other end. */
@NullMarked
package dev.jitney.conformance.http;

import org.jspecify.annotations.NullMarked;
