/**
 * The properties of queues, topics and subscriptions in one table. The code that handles all properties is driven by this
 * table: rows, Atom elements, members of the configuration file, checks and the reference page.
 *
 * <p>Read in this order: {@link dev.jitney.model.property.QueueProperties},
 * {@link dev.jitney.model.property.TopicProperties} and {@link dev.jitney.model.property.SubscriptionProperties} are the
 * tables of each kind; {@link dev.jitney.model.property.PropertySpecs} has the meaning of each property in all kinds;
 * {@link dev.jitney.model.property.EntityTable} gives the properties of a kind in each order. The guide is
 * {@code docs/guides/add-a-property.md}.
 *
 * <p>Code that handles messages reads descriptions directly. The table is for code that runs once per change of an
 * entity.
 */
@NullMarked
package dev.jitney.model.property;

import org.jspecify.annotations.NullMarked;
