/** Tests of the adapter to Ratis. */
@NullUnmarked
package dev.jitney.cluster.ratis;

import org.jspecify.annotations.NullUnmarked;
