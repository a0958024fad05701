/**
 * The parts of the syphon that know no factory: the messages that it carries
 * ({@link dev.jitney.paired.internal.syphon.BacklogMessage}) and those that it holds
 * ({@link dev.jitney.paired.internal.syphon.HeldMessages}), its ways to the primary
 * ({@link dev.jitney.paired.internal.syphon.SyphonOutlets}), and the destinations there that take no messages at the moment
 * ({@link dev.jitney.paired.internal.syphon.Destinations}).
 */
@NullMarked
package dev.jitney.paired.internal.syphon;

import org.jspecify.annotations.NullMarked;
