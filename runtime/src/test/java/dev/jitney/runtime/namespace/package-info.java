/** Tests of namespaces and of changes to entities. */
@NullMarked
package dev.jitney.runtime.namespace;

import org.jspecify.annotations.NullMarked;
