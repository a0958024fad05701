/** The rules of partitioned entities as tests; each cites the requirement ids of semantics chapter 17. */
@NullMarked
package dev.jitney.core.partition;

import org.jspecify.annotations.NullMarked;
