/** Tests of filters and actions. {@code Naive*} is an independent second implementation of the language. */
@NullMarked
package dev.jitney.core.filter;

import org.jspecify.annotations.NullMarked;
