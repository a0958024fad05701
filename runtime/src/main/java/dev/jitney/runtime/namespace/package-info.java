/**
 * Namespaces and entities as callers use them, and changes to them. Read in this order:
 * {@link dev.jitney.runtime.namespace.ServedNamespace} is a namespace,
 * {@link dev.jitney.runtime.namespace.EntityDirectory} has its entities by name,
 * {@link dev.jitney.runtime.namespace.ServedEntity} sends commands to the shard of an entity, or to its
 * {@link dev.jitney.runtime.namespace.Partitions}. {@link dev.jitney.runtime.namespace.EntityChanges},
 * {@link dev.jitney.runtime.namespace.RuleChanges} and {@link dev.jitney.runtime.namespace.NamespaceChanges} create,
 * change and delete. {@link dev.jitney.runtime.namespace.Throttle} and
 * {@link dev.jitney.runtime.namespace.OperationMeter} count.
 *
 * <p>Its classes are public for {@code runtime.partitioned} and {@code runtime.sharded}; gateways use the package
 * {@code runtime}.
 */
@NullMarked
package dev.jitney.runtime.namespace;

import org.jspecify.annotations.NullMarked;
