/** Tests of filters and actions. {@code Naive*} is a second opinion on the language that shares no code with the first. */
@NullMarked
package dev.jitney.core.filter;

import org.jspecify.annotations.NullMarked;
