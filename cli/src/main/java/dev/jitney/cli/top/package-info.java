/**
 * {@code jitney top}: a live view of all entities. Read {@link dev.jitney.cli.top.TopCommand}, {@link
 * dev.jitney.cli.top.EntityLoad}, {@link dev.jitney.cli.top.LoadSource} and {@link dev.jitney.cli.top.LoadTable}.
 */
@NullMarked
package dev.jitney.cli.top;

import org.jspecify.annotations.NullMarked;
