/**
 * Helpers of all crash tests: clients that fill, drain, browse and hold, disks that fail, and the rows of a store that nobody
 * has open. Read {@code Eventually} and {@code Drain} first.
 */
@NullMarked
package dev.jitney.crash.support;

import org.jspecify.annotations.NullMarked;
