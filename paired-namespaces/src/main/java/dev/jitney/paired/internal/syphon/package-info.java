/**
 * The parts of the syphon that do not depend on a factory: the messages in transfer
 * ({@link dev.jitney.paired.internal.syphon.BacklogMessage}), the held messages
 * ({@link dev.jitney.paired.internal.syphon.HeldMessages}), the outlets to the primary
 * ({@link dev.jitney.paired.internal.syphon.SyphonOutlets}), and the unavailable destinations
 * ({@link dev.jitney.paired.internal.syphon.Destinations}).
 */
@NullMarked
package dev.jitney.paired.internal.syphon;

import org.jspecify.annotations.NullMarked;
