@NullMarked
package dev.jitney.cluster.election;

import org.jspecify.annotations.NullMarked;
