/**
 * Splits of the network of a cluster: three nodes in network namespaces of their own, and clients of each of them.
 */
@NullMarked
package dev.jitney.crash.split;

import org.jspecify.annotations.NullMarked;
