@NullMarked
package dev.jitney.cluster.change;

import org.jspecify.annotations.NullMarked;
