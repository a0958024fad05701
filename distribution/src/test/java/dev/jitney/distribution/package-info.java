/** Tests of the parts that build artifacts, and (tag {@code release}) of the artifacts in {@code target/release}. */
@NullMarked
package dev.jitney.distribution;

import org.jspecify.annotations.NullMarked;
