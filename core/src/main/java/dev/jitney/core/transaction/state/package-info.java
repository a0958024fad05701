/**
 * What transactions have gathered: {@link dev.jitney.core.transaction.state.OpenTransaction}, kept by the shard.
 */
@NullMarked
package dev.jitney.core.transaction.state;

import org.jspecify.annotations.NullMarked;
