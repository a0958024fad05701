/**
 * What every messaging store has to do ({@link dev.jitney.runtime.store.MessagingStoreContract}), and the in-memory twin
 * of the real one for the tests of everything above it.
 */
@NullMarked
package dev.jitney.runtime.store;

import org.jspecify.annotations.NullMarked;
