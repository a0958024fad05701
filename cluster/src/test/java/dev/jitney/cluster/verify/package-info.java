/** Tests of the comparison of nodes. */
@NullUnmarked
package dev.jitney.cluster.verify;

import org.jspecify.annotations.NullUnmarked;
