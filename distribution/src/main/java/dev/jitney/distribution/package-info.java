/**
 * Makes the artifacts of a release out of jars that Maven has built ({@code ./jitney release}, docs/guides/releasing.md).
 *
 * <p>Read {@link dev.jitney.distribution.JitneyRelease} first, which names the steps, then
 * {@link dev.jitney.distribution.Contents} and {@link dev.jitney.distribution.Platform}: the files of an archive.
 * {@link dev.jitney.distribution.FileTree} and {@link dev.jitney.distribution.Archives} write them so that the same sources
 * give the same bytes. Nothing depends on this package.
 */
@NullMarked
package dev.jitney.distribution;

import org.jspecify.annotations.NullMarked;
