/**
 * Paired namespaces: senders over the official Azure Service Bus SDK that go on while their namespace is unavailable.
 *
 * <p>A {@link dev.jitney.paired.MessagingFactory} stands for one namespace. Once the primary is paired with a secondary
 * ({@link dev.jitney.paired.SendAvailabilityPairedNamespaceOptions}), a {@link dev.jitney.paired.MessageSender} whose
 * queue or topic is unavailable parks its messages in backlog queues of the secondary; the {@link
 * dev.jitney.paired.Syphon} brings them home when the primary is back. In reading order: {@code PathMonitor} (the state
 * machine of one path), {@code PingTask}, {@code BacklogRotation}, {@code BacklogSender}, {@code BacklogQueues} (creation),
 * {@code SyphonWorker}, {@code PartnerWatch}.
 *
 * <p>Works against Jitney and against Azure alike, and depends on nothing of the broker. Requirement ids are those of
 * chapter 18 of the semantics (PAIR).
 */
@NullMarked
package dev.jitney.paired;

import org.jspecify.annotations.NullMarked;
