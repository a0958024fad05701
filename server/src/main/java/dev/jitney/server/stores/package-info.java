/**
 * Where the messaging stores of a data directory are, on one disk or on several: {@link dev.jitney.server.stores.StorePlaces}
 * is what the options ask for, {@link dev.jitney.server.stores.StoreSet} and {@link dev.jitney.server.stores.StoreIdentity}
 * are what the disks remember, {@link dev.jitney.server.stores.StoreDirectories} compares the two before anything is
 * opened, so that no store is ever taken for another or made anew because its disk is not there.
 *
 * <p>For the start of the server; one thread. Depends on the JDK only.
 */
@NullMarked
package dev.jitney.server.stores;

import org.jspecify.annotations.NullMarked;
