/** Tests of messages over HTTP, with the official Java SDK as the other client: HTTP reference chapter 3. */
@NullMarked
package dev.jitney.conformance.http;

import org.jspecify.annotations.NullMarked;
