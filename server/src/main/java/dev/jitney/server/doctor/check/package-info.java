/**
 * The checks of {@code jitney doctor}, each in a class of its own. {@link dev.jitney.server.doctor.check.Checks} has their order.
 *
 * <p>Read {@link dev.jitney.server.doctor.check.Checks} and any check, such as {@link dev.jitney.server.doctor.check.PortsCheck}. {@link
 * dev.jitney.server.doctor.check.CertificateFile}, {@link dev.jitney.server.doctor.check.Commands}, {@link
 * dev.jitney.server.doctor.check.Modes} and {@link dev.jitney.server.doctor.check.Sizes} are shared by several.
 */
@NullMarked
package dev.jitney.server.doctor.check;

import org.jspecify.annotations.NullMarked;
