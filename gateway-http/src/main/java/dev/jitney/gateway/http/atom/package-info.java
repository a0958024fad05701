/**
 * The XML of the administration API: Atom entries and feeds around descriptions of entities (HTTP reference 2.4 to 2.8).
 *
 * <p>Reading order: {@link dev.jitney.gateway.http.atom.XmlElement} is what is read,
 * {@link dev.jitney.gateway.http.atom.EntryReader} reads it within bounds, {@link dev.jitney.gateway.http.atom.Elements}
 * gives typed access; {@link dev.jitney.gateway.http.atom.DescriptionXml} knows the elements of queues, topics and subscriptions in both
 * directions, {@link dev.jitney.gateway.http.atom.RuleXml} those of rules; {@link dev.jitney.gateway.http.atom.AtomWriter} puts the
 * envelope around them.
 *
 * <p>Knows descriptions, and nothing of HTTP or of the broker. Only the administration routes depend on it.
 */
@NullMarked
package dev.jitney.gateway.http.atom;

import org.jspecify.annotations.NullMarked;
