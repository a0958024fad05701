/** Tests of checkpoints. */
@NullUnmarked
package dev.jitney.cluster.checkpoint;

import org.jspecify.annotations.NullUnmarked;
