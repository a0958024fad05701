/**
 * Queues, topics, subscriptions and rules. A {@link dev.jitney.cli.entity.Setting} declares one property for options, JSON,
 * export and import. {@link dev.jitney.cli.entity.EntityType} is a kind of entity with its SDK calls.
 * {@link dev.jitney.cli.entity.Rules} does the same for rules, whose properties have another form. All kinds share the same
 * commands.
 */
@NullMarked
package dev.jitney.cli.entity;

import org.jspecify.annotations.NullMarked;
