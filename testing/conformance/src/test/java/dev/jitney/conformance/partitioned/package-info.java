/** What only partitioned queues and topics have, and what their clients notice of stores that stop (semantics chapter 17). */
@NullMarked
package dev.jitney.conformance.partitioned;

import org.jspecify.annotations.NullMarked;
