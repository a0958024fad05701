/**
 * The properties of queues, topics and subscriptions in one table, from which everything that handles each of them in turn
 * works: rows, Atom elements, members of the configuration file, checks and the reference page.
 *
 * <p>Read in this order: {@link dev.jitney.model.property.QueueProperties} is the table of queues, with
 * {@link dev.jitney.model.property.TopicProperties} and {@link dev.jitney.model.property.SubscriptionProperties} beside it;
 * {@link dev.jitney.model.property.PropertySpecs} says what each property means wherever it occurs;
 * {@link dev.jitney.model.property.EntityTable} gives the properties of a kind in each of their orders. The guide is
 * {@code docs/guides/add-a-property.md}.
 *
 * <p>Code on the way of a message reads descriptions directly; the table is for what happens once per change of an entity.
 */
@NullMarked
package dev.jitney.model.property;

import org.jspecify.annotations.NullMarked;
