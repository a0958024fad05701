/**
 * Queues, topics, subscriptions and rules. A {@link dev.jitney.cli.entity.Setting} is one property, written down once:
 * options, JSON, export and import all follow from it. {@link dev.jitney.cli.entity.EntityType} is a kind of entity and
 * what the SDK does with it, {@link dev.jitney.cli.entity.Rules} the same for rules, whose properties are of another
 * sort; the commands are the same for all kinds.
 */
@NullMarked
package dev.jitney.cli.entity;

import org.jspecify.annotations.NullMarked;
