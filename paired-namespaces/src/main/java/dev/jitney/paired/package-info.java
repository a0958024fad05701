/**
 * Paired namespaces: senders on the official Azure Service Bus SDK that continue while their namespace is unavailable.
 *
 * <p>A {@link dev.jitney.paired.MessagingFactory} represents one namespace. Once the primary is paired with a secondary
 * ({@link dev.jitney.paired.SendAvailabilityPairedNamespaceOptions}), a {@link dev.jitney.paired.MessageSender} whose queue
 * or topic is unavailable sends its messages to backlog queues of the secondary. The {@link dev.jitney.paired.Syphon} moves
 * them to the primary when it is available again. In reading order: {@code PathMonitor} (the state
 * machine of one path), {@code PingTask}, {@code BacklogRotation}, {@code BacklogSender}, {@code BacklogQueues} (creation),
 * {@code SyphonWorker}, {@code PartnerWatch}.
 *
 * <p>The library works with Jitney and with Azure, and does not depend on the broker. Requirement ids are those of
 * chapter 18 of the semantics (PAIR).
 */
@NullMarked
package dev.jitney.paired;

import org.jspecify.annotations.NullMarked;
