/**
 * What may be created and changed in a namespace: {@link dev.jitney.core.namespace.QueueRules} judges descriptions,
 * {@link dev.jitney.core.namespace.EntityNames} judges names. Pure functions; every way in to a namespace uses them.
 */
@NullMarked
package dev.jitney.core.namespace;

import org.jspecify.annotations.NullMarked;
