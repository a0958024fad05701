/**
 * The artifacts of a release, from jars that Maven has built ({@code ./jitney release}, docs/guides/releasing.md).
 *
 * <p>Read {@link dev.jitney.distribution.JitneyRelease} first, which lists the steps, then
 * {@link dev.jitney.distribution.Contents} and {@link dev.jitney.distribution.Platform}: the files of an archive.
 * {@link dev.jitney.distribution.FileTree} and {@link dev.jitney.distribution.Archives} write them reproducibly: the same
 * sources give the same bytes. No other package depends on this one.
 */
@NullMarked
package dev.jitney.distribution;

import org.jspecify.annotations.NullMarked;
