/** Tests of partitioned queues and topics, and of stopped stores from the view of their clients (semantics chapter 17). */
@NullMarked
package dev.jitney.conformance.partitioned;

import org.jspecify.annotations.NullMarked;
