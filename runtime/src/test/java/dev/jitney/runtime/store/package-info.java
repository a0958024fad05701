/**
 * The contract of every messaging store ({@link dev.jitney.runtime.store.MessagingStoreContract}), and an in-memory
 * store for the tests of the code above it.
 */
@NullMarked
package dev.jitney.runtime.store;

import org.jspecify.annotations.NullMarked;
