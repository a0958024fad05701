/**
 * {@code jitney doctor}: checks of an installation, running or stopped, that change nothing.
 *
 * <p>Read {@link dev.jitney.server.doctor.Check} (one check), {@link dev.jitney.server.doctor.Installation} (its input), {@link
 * dev.jitney.server.doctor.Findings} and {@link dev.jitney.server.doctor.Finding} (its output), {@link dev.jitney.server.doctor.Doctor}
 * (the run of all checks in bounded time), {@link dev.jitney.server.doctor.Probe} (requests to a running server), {@link
 * dev.jitney.server.doctor.ServerProcess} and {@link dev.jitney.server.doctor.DoctorReport}. The checks are in {@code
 * dev.jitney.server.doctor.check}.
 */
@NullMarked
package dev.jitney.server.doctor;

import org.jspecify.annotations.NullMarked;
