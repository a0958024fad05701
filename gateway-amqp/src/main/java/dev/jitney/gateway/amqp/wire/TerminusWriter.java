package dev.jitney.gateway.amqp.wire;

import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.messaging.Terminus;
import org.apache.qpid.protonj2.types.messaging.TerminusDurability;
import org.apache.qpid.protonj2.types.messaging.TerminusExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The encoder of sources and targets at full length: 11 and 7 fields. Fields with their default value are written as
 * null, which means the same (AMQP 1.0 part 3, 3.5.3 and 3.5.4). A coordinator is written as a coordinator.
 */
final class TerminusWriter {
    private static final int SOURCE = 0x28;
    private static final int TARGET = 0x29;

    private final PerformativeWriter writer;

    TerminusWriter(PerformativeWriter writer) {
        this.writer = writer;
    }

    void source(ProtonBuffer out, @Nullable Source source) {
        if (source == null) {
            PerformativeWriter.nulls(out, 1);
            return;
        }
        int list = writer.beginList(out, SOURCE, 11);
        writer.string(out, source.getAddress());
        common(out, source.getDurable(), source.getExpiryPolicy(), source.getTimeout(), source.isDynamic());
        writer.map(out, source.getDynamicNodeProperties());
        writer.symbol(out, source.getDistributionMode());
        writer.map(out, source.getFilter());
        writer.object(out, source.getDefaultOutcome());
        writer.symbols(out, source.getOutcomes());
        writer.symbols(out, source.getCapabilities());
        writer.endList(out, list);
    }

    void target(ProtonBuffer out, @Nullable Terminus terminus) {
        if (!(terminus instanceof Target target)) {
            writer.object(out, terminus); // null or a coordinator
            return;
        }
        int list = writer.beginList(out, TARGET, 7);
        writer.string(out, target.getAddress());
        common(out, target.getDurable(), target.getExpiryPolicy(), target.getTimeout(), target.isDynamic());
        writer.map(out, target.getDynamicNodeProperties());
        writer.symbols(out, target.getCapabilities());
        writer.endList(out, list);
    }

    private void common(
            ProtonBuffer out,
            @Nullable TerminusDurability durability,
            @Nullable TerminusExpiryPolicy expiryPolicy,
            @Nullable UnsignedInteger timeout,
            boolean dynamic) {
        if (durability == null || durability == TerminusDurability.NONE) {
            PerformativeWriter.nulls(out, 1);
        } else {
            writer.unsignedInt(out, durability.getValue().longValue());
        }
        writer.symbol(
                out,
                expiryPolicy == null || expiryPolicy == TerminusExpiryPolicy.SESSION_END
                        ? null
                        : expiryPolicy.getPolicy());
        if (timeout == null || timeout.intValue() == 0) {
            PerformativeWriter.nulls(out, 1);
        } else {
            writer.unsignedInt(out, timeout.longValue());
        }
        if (dynamic) {
            PerformativeWriter.bool(out, true);
        } else {
            PerformativeWriter.nulls(out, 1);
        }
    }
}
