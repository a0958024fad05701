/** Tests of transactions with the official Java SDK: semantics chapter 16. */
@NullMarked
package dev.jitney.conformance.transactions;

import org.jspecify.annotations.NullMarked;
