/** Tests of the audit of dependencies, and of their checksums. */
@NullMarked
package dev.jitney.distribution.audit;

import org.jspecify.annotations.NullMarked;
