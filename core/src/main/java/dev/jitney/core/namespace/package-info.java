/**
 * What may be created and changed in a namespace. {@link dev.jitney.core.namespace.EntityRules} judges entities of every
 * kind with the table of their properties ({@code dev.jitney.model.property});
 * {@link dev.jitney.core.namespace.ForwardingRules} judges where they forward to;
 * {@link dev.jitney.core.namespace.FilterRules} judges rules. Pure functions; every way in to a namespace uses them.
 */
@NullMarked
package dev.jitney.core.namespace;

import org.jspecify.annotations.NullMarked;
