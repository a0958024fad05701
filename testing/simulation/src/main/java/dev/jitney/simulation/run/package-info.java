/**
 * A history: clients, time, disks and processes, one event after the other, each from the seed and its number alone, so that
 * events can be left out and the others stay what they are.
 */
@NullMarked
package dev.jitney.simulation.run;

import org.jspecify.annotations.NullMarked;
