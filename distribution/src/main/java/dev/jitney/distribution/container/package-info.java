/** What runs in the image beside the jars of the archives: the command {@code jitney} without a shell. */
@NullMarked
package dev.jitney.distribution.container;

import org.jspecify.annotations.NullMarked;
