/**
 * The checks for new and changed entities of a namespace. {@link dev.jitney.core.namespace.EntityRules} checks entities
 * of every kind with the table of their properties ({@code dev.jitney.model.property});
 * {@link dev.jitney.core.namespace.ForwardingRules} checks forwarding destinations;
 * {@link dev.jitney.core.namespace.FilterRules} checks rules. Pure functions; all APIs use them.
 */
@NullMarked
package dev.jitney.core.namespace;

import org.jspecify.annotations.NullMarked;
