/** Tests of topics, subscriptions and rules with the Java SDK: semantics chapters 8 (filter failures), 11 and 15. */
@NullMarked
package dev.jitney.conformance.topics;

import org.jspecify.annotations.NullMarked;
