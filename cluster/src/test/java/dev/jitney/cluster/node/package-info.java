/** Tests of nodes with the real Ratis. */
@NullUnmarked
package dev.jitney.cluster.node;

import org.jspecify.annotations.NullUnmarked;
