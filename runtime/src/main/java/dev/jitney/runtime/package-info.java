/**
 * The public interface of the broker, all that gateways use. Read in this order: {@link dev.jitney.runtime.Broker}
 * has namespaces, {@link dev.jitney.runtime.Namespace} has entities and changes them,
 * {@link dev.jitney.runtime.Entity} takes commands and attaches receivers. {@link dev.jitney.runtime.ReplyListener}
 * and {@link dev.jitney.runtime.ReceiverListener} receive the results, and {@link dev.jitney.runtime.Transaction}
 * combines several operations into one. The other types are options, figures and failures.
 *
 * <p>This package contains no implementation. {@code runtime.sharded} opens a broker. {@code runtime.shard},
 * {@code runtime.namespace} and {@code runtime.partitioned} implement it; they are public only for each other.
 * Adapters implement {@code runtime.store}.
 */
@NullMarked
package dev.jitney.runtime;

import org.jspecify.annotations.NullMarked;
