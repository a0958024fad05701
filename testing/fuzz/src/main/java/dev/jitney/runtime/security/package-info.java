/** The door to what tokens are judged by, without a namespace around it. */
@NullMarked
package dev.jitney.runtime.security;

import org.jspecify.annotations.NullMarked;
