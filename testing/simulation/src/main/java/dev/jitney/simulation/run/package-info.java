/**
 * The run of a history: clients, time, disks and processes, one event after the other. Each event depends only on the
 * seed and its own number. So events can be left out without changing the others.
 */
@NullMarked
package dev.jitney.simulation.run;

import org.jspecify.annotations.NullMarked;
