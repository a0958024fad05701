/** Tests of the checklist of the AMQP wire reference (section 11) with a raw client. */
@NullMarked
package dev.jitney.conformance.wire;

import org.jspecify.annotations.NullMarked;
