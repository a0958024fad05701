/**
 * The places of a data directory's messaging stores, on one disk or on several.
 *
 * <p>{@link dev.jitney.server.stores.StorePlaces} has the configured places. {@link dev.jitney.server.stores.StoreSet}
 * and {@link dev.jitney.server.stores.StoreIdentity} are the records on the disks. {@link
 * dev.jitney.server.stores.StoreDirectories} compares them before anything is opened. Jitney therefore never mistakes
 * one store for another, and never recreates a store because its disk is missing. The other stores work without an
 * unavailable one: {@link dev.jitney.server.stores.CopiedStore} shows its entities until it is available.
 *
 * <p>{@link dev.jitney.server.stores.RocksDbStores} opens the stores, and {@link dev.jitney.server.stores.InMemory} has the
 * settings of a server without a data directory.
 *
 * <p>The start of the server uses the package in one thread; only {@code CopiedStore} is used later. Depends on the
 * store port of the runtime.
 */
@NullMarked
package dev.jitney.server.stores;

import org.jspecify.annotations.NullMarked;
