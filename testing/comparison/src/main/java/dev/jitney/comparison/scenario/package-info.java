/**
 * The measurements. Read {@code Scenario} and {@code Scenarios} (all of them) first, then {@code Trial} (one run on one
 * broker), {@code Plans} (the load), the scenarios, and the measurements besides the load: {@code FirstMessage},
 * {@code DiskAlone}, {@code Tenths}.
 */
@NullMarked
package dev.jitney.comparison.scenario;

import org.jspecify.annotations.NullMarked;
