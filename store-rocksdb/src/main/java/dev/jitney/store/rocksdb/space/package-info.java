/**
 * The space of a store on its disk. {@link dev.jitney.store.rocksdb.space.DiskSpace} compares the free space with the reserve. {@link
 * dev.jitney.store.rocksdb.space.SpaceReclaimer} reclaims the space of deleted rows while the disk is short of it, in a {@code
 * BackgroundThread}. It uses the {@link dev.jitney.store.rocksdb.space.TableFiles} of an open store. {@link
 * dev.jitney.store.rocksdb.space.StalledWrites} ends writes that would wait for space without a limit.
 */
@NullMarked
package dev.jitney.store.rocksdb.space;

import org.jspecify.annotations.NullMarked;
