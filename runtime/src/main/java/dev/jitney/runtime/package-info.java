/**
 * The public face of the broker, all that gateways use. Read in this order: {@link dev.jitney.runtime.Broker} has namespaces,
 * {@link dev.jitney.runtime.Namespace} has entities and changes them, {@link dev.jitney.runtime.Entity} takes commands and
 * attaches receivers; {@link dev.jitney.runtime.ReplyListener} and {@link dev.jitney.runtime.ReceiverListener} hear what becomes
 * of them, {@link dev.jitney.runtime.Transaction} makes several operations one. The rest are options, figures and failures.
 *
 * <p>Nothing here works by itself. {@code runtime.sharded} opens a broker; {@code runtime.shard}, {@code runtime.namespace} and
 * {@code runtime.partitioned} are what it is made of, and public only for each other. Adapters implement {@code runtime.store}.
 */
@NullMarked
package dev.jitney.runtime;

import org.jspecify.annotations.NullMarked;
