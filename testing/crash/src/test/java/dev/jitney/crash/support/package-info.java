/**
 * Helpers of all crash tests: clients that fill, drain, browse and hold, faulty disks, and the rows of closed stores.
 * Read {@code Eventually} and {@code Drain} first.
 */
@NullMarked
package dev.jitney.crash.support;

import org.jspecify.annotations.NullMarked;
