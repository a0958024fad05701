/**
 * What may be created and changed in a namespace. {@link dev.jitney.core.namespace.EntityRules} judges entities of every
 * kind, with {@link dev.jitney.core.namespace.QueueRules}, {@link dev.jitney.core.namespace.TopicRules} and
 * {@link dev.jitney.core.namespace.SubscriptionRules} for each of them;
 * {@link dev.jitney.core.namespace.FilterRules} judges rules. Pure functions; every way in to a namespace uses them.
 */
@NullMarked
package dev.jitney.core.namespace;

import org.jspecify.annotations.NullMarked;
