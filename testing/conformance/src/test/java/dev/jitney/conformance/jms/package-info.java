/** Tests of Qpid JMS as an ordinary AMQP 1.0 client without knowledge of Service Bus. */
@NullMarked
package dev.jitney.conformance.jms;

import org.jspecify.annotations.NullMarked;
