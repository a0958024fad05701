/** Tests of the special features of AMQP inside WebSockets. Other chapters repeat their tests over this transport. */
@NullMarked
package dev.jitney.conformance.websocket;

import org.jspecify.annotations.NullMarked;
