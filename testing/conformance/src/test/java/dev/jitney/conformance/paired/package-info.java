/** Tests of the library for paired namespaces between two brokers: semantics chapter 18 and scenarios SCN-11, SCN-12. */
@NullMarked
package dev.jitney.conformance.paired;

import org.jspecify.annotations.NullMarked;
