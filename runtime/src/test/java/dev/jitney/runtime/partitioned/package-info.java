/** Tests of partitioned entities. */
@NullMarked
package dev.jitney.runtime.partitioned;

import org.jspecify.annotations.NullMarked;
