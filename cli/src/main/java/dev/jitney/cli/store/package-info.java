/**
 * {@code jitney store}: what operators ask of the messaging stores of a server of ours. Azure has nothing like it, so this
 * speaks to the server itself ({@link dev.jitney.cli.connection.ServerApi}) and not through the SDK.
 */
@NullMarked
package dev.jitney.cli.store;

import org.jspecify.annotations.NullMarked;
