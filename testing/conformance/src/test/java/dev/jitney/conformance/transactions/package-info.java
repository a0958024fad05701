/** Semantics chapter 16: transactions, with the official Java SDK. */
@NullMarked
package dev.jitney.conformance.transactions;

import org.jspecify.annotations.NullMarked;
