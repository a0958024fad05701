/** The checklist of the AMQP wire reference (section 11) with a raw client, as far as it concerns queues. */
@NullMarked
package dev.jitney.conformance.wire;

import org.jspecify.annotations.NullMarked;
