/** AMQP inside WebSockets: what is special about them; other chapters repeat their tests over this transport. */
@NullMarked
package dev.jitney.conformance.websocket;

import org.jspecify.annotations.NullMarked;
