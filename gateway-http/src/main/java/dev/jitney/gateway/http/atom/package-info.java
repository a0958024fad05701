/**
 * The XML of the administration API: Atom entries and feeds around descriptions of entities (HTTP reference 2.4 to
 * 2.8).
 *
 * <p>Reading order: {@link dev.jitney.gateway.http.atom.XmlElement} is the parsed form, {@link
 * dev.jitney.gateway.http.atom.EntryReader} parses it with limits, {@link dev.jitney.gateway.http.atom.Elements} gives
 * typed access. {@link dev.jitney.gateway.http.atom.DescriptionXml} reads and writes the elements of queues, topics and
 * subscriptions, {@link dev.jitney.gateway.http.atom.RuleXml} those of rules. {@link
 * dev.jitney.gateway.http.atom.AtomWriter} writes the envelope.
 *
 * <p>The package depends on descriptions, but not on HTTP or the broker. Only the administration routes depend on it.
 */
@NullMarked
package dev.jitney.gateway.http.atom;

import org.jspecify.annotations.NullMarked;
