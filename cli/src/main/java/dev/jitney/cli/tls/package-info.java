/**
 * The command {@code jitney tls check}: {@link dev.jitney.cli.tls.TlsCommands} has the options, {@link dev.jitney.cli.tls.TlsProbe}
 * connects, {@link dev.jitney.cli.tls.OldHello} offers what clients should not use, and {@link dev.jitney.cli.tls.TlsFindings} judges
 * the result.
 */
@NullMarked
package dev.jitney.cli.tls;

import org.jspecify.annotations.NullMarked;
