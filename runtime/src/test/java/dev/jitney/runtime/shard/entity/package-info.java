/** Tests of the entities of a shard. */
@NullMarked
package dev.jitney.runtime.shard.entity;

import org.jspecify.annotations.NullMarked;
