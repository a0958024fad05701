package dev.jitney.gateway.amqp.wire;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.codec.EncoderState;
import org.apache.qpid.protonj2.codec.EncodingCodes;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transactions.Declared;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Close;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.End;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * The encoder that writes performatives as lists of full length: unset fields are nulls, nothing is trimmed, and every
 * descriptor has its one-byte form (wire reference 0.3, rule 1, and 1.5). Positional decoders of client libraries
 * depend on it.
 *
 * <p>Not thread-safe; one per connection.
 */
final class PerformativeWriter {
    private static final int OPEN = 0x10;
    private static final int BEGIN = 0x11;
    private static final int ATTACH = 0x12;
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    private static final int DETACH = 0x16;
    private static final int END = 0x17;
    private static final int CLOSE = 0x18;
    private static final int ERROR = 0x1d;
    private static final int ACCEPTED = 0x24;
    private static final int DECLARED = 0x33;
    private static final int TRANSACTIONAL_STATE = 0x34;
    private static final int REJECTED = 0x25;
    private static final int MODIFIED = 0x27;
    private static final long MESSAGE_FORMAT = 0;

    private final Encoder encoder = CodecFactory.getEncoder();
    private final EncoderState state = encoder.newEncoderState();
    private final TerminusWriter terminusWriter = new TerminusWriter(this);
    private int descriptionBytesMax = 352;

    /** Sets the limit for an error description, so that an error fits one frame of the peer's size. */
    void descriptionBytesMax(int value) {
        descriptionBytesMax = value;
    }

    void open(ProtonBuffer out, Open open, long idleTimeoutMs) {
        int list = beginList(out, OPEN, 10);
        encoder.writeString(out, state, open.getContainerId());
        string(out, open.getHostname());
        encoder.writeUnsignedInteger(out, state, open.getMaxFrameSize());
        encoder.writeUnsignedShort(out, state, open.getChannelMax());
        if (idleTimeoutMs > 0) {
            encoder.writeUnsignedInteger(out, state, idleTimeoutMs);
        } else {
            nulls(out, 1);
        }
        symbols(out, open.getOutgoingLocales());
        symbols(out, open.getIncomingLocales());
        symbols(out, open.getOfferedCapabilities());
        symbols(out, open.getDesiredCapabilities());
        map(out, open.getProperties());
        endList(out, list);
    }

    void begin(ProtonBuffer out, Begin begin) {
        int list = beginList(out, BEGIN, 8);
        if (begin.hasRemoteChannel()) {
            encoder.writeUnsignedShort(out, state, begin.getRemoteChannel());
        } else {
            nulls(out, 1);
        }
        encoder.writeUnsignedInteger(out, state, begin.getNextOutgoingId());
        encoder.writeUnsignedInteger(out, state, begin.getIncomingWindow());
        encoder.writeUnsignedInteger(out, state, begin.getOutgoingWindow());
        encoder.writeUnsignedInteger(out, state, begin.getHandleMax());
        symbols(out, begin.getOfferedCapabilities());
        symbols(out, begin.getDesiredCapabilities());
        map(out, begin.getProperties());
        endList(out, list);
    }

    /**
     * @param name the peer's name of the link, whatever its name inside the engine
     */
    void attach(ProtonBuffer out, Attach attach, String name) {
        int list = beginList(out, ATTACH, 14);
        encoder.writeString(out, state, name);
        encoder.writeUnsignedInteger(out, state, attach.getHandle());
        bool(out, attach.getRole() == Role.RECEIVER);
        if (attach.hasSenderSettleMode()) {
            encoder.writeUnsignedByte(out, state, attach.getSenderSettleMode().byteValue());
        } else {
            nulls(out, 1);
        }
        if (attach.hasReceiverSettleMode()) {
            encoder.writeUnsignedByte(out, state, attach.getReceiverSettleMode().byteValue());
        } else {
            nulls(out, 1);
        }
        terminusWriter.source(out, attach.getSource());
        terminusWriter.target(out, attach.getTarget());
        nulls(out, 2);
        encoder.writeUnsignedInteger(
                out, state, attach.hasInitialDeliveryCount() ? attach.getInitialDeliveryCount() : 0L);
        if (attach.getMaxMessageSize() != null) {
            encoder.writeUnsignedLong(out, state, attach.getMaxMessageSize());
        } else {
            nulls(out, 1);
        }
        symbols(out, attach.getOfferedCapabilities());
        symbols(out, attach.getDesiredCapabilities());
        map(out, attach.getProperties());
        endList(out, list);
    }

    /**
     * @param counters source of the session's own fields
     */
    void flow(ProtonBuffer out, Flow flow, SessionWire counters) {
        int list = beginShortList(out, FLOW, 11);
        encoder.writeUnsignedInteger(out, state, Integer.toUnsignedLong(counters.nextIncomingId()));
        encoder.writeUnsignedInteger(out, state, Integer.toUnsignedLong(counters.incomingWindow()));
        encoder.writeUnsignedInteger(out, state, Integer.toUnsignedLong(counters.nextOutgoingId()));
        encoder.writeUnsignedInteger(out, state, Integer.toUnsignedLong(counters.outgoingWindow()));
        if (flow.hasHandle()) {
            encoder.writeUnsignedInteger(out, state, flow.getHandle());
            encoder.writeUnsignedInteger(out, state, flow.hasDeliveryCount() ? flow.getDeliveryCount() : 0L);
            encoder.writeUnsignedInteger(out, state, flow.hasLinkCredit() ? flow.getLinkCredit() : 0L);
            encoder.writeUnsignedInteger(out, state, flow.hasAvailable() ? flow.getAvailable() : 0L);
            bool(out, flow.getDrain());
        } else {
            nulls(out, 5);
        }
        bool(out, false); // echo: some clients ignore an answer with echo set (3.7)
        nulls(out, 1);
        endShortList(out, list);
    }

    /**
     * Writes a transfer. Continuation frames carry the handle and {@code more} only, as those of Service Bus do (4.8).
     */
    void transfer(ProtonBuffer out, long handle, PendingDelivery delivery, boolean first, boolean more) {
        int list = beginShortList(out, TRANSFER, 11);
        encoder.writeUnsignedInteger(out, state, handle);
        if (first) {
            encoder.writeUnsignedInteger(out, state, Integer.toUnsignedLong(delivery.id()));
            encoder.writeBinary(out, state, delivery.tag());
            encoder.writeUnsignedInteger(out, state, MESSAGE_FORMAT);
            bool(out, delivery.settled());
            bool(out, more);
            nulls(out, 4);
            bool(out, true);
        } else {
            nulls(out, 4);
            bool(out, more);
            nulls(out, 5);
        }
        endShortList(out, list);
    }

    void disposition(
            ProtonBuffer out, Role role, int first, int last, boolean settled, @Nullable DeliveryState outcome) {
        int list = beginList(out, DISPOSITION, 6);
        bool(out, role == Role.RECEIVER);
        encoder.writeUnsignedInteger(out, state, Integer.toUnsignedLong(first));
        if (last != first) {
            encoder.writeUnsignedInteger(out, state, Integer.toUnsignedLong(last));
        } else {
            nulls(out, 1);
        }
        bool(out, settled);
        outcome(out, outcome);
        nulls(out, 1);
        endList(out, list);
    }

    void detach(ProtonBuffer out, Detach detach) {
        int list = beginList(out, DETACH, 3);
        encoder.writeUnsignedInteger(out, state, detach.getHandle());
        bool(out, detach.getClosed());
        error(out, detach.getError());
        endList(out, list);
    }

    void end(ProtonBuffer out, End end) {
        int list = beginList(out, END, 1);
        error(out, end.getError());
        endList(out, list);
    }

    void close(ProtonBuffer out, Close close) {
        int list = beginList(out, CLOSE, 1);
        error(out, close.getError());
        endList(out, list);
    }

    private void outcome(ProtonBuffer out, @Nullable DeliveryState outcome) {
        if (outcome == null) {
            nulls(out, 1);
        } else if (outcome instanceof Accepted) {
            descriptor(out, ACCEPTED);
            out.writeByte(EncodingCodes.LIST0);
        } else if (outcome instanceof Rejected rejected) {
            int list = beginList(out, REJECTED, 1);
            error(out, rejected.getError());
            endList(out, list);
        } else if (outcome instanceof Modified modified) {
            int list = beginList(out, MODIFIED, 3);
            bool(out, modified.isDeliveryFailed());
            bool(out, modified.isUndeliverableHere());
            map(out, modified.getMessageAnnotations());
            endList(out, list);
        } else if (outcome instanceof TransactionalState transactional) {
            int list = beginList(out, TRANSACTIONAL_STATE, 2);
            encoder.writeBinary(out, state, transactional.getTxnId());
            outcome(out, transactional.getOutcome() instanceof DeliveryState inner ? inner : null);
            endList(out, list);
        } else if (outcome instanceof Declared declared) {
            int list = beginList(out, DECLARED, 1);
            encoder.writeBinary(out, state, declared.getTxnId());
            endList(out, list);
        } else {
            object(out, outcome);
        }
    }

    private void error(ProtonBuffer out, @Nullable ErrorCondition error) {
        if (error == null) {
            nulls(out, 1);
            return;
        }
        int list = beginList(out, ERROR, 3);
        encoder.writeSymbol(out, state, error.getCondition());
        String text = error.getDescription();
        // A char of truncated text takes at most three bytes (UTF-8).
        string(
                out,
                text != null && text.length() > descriptionBytesMax / 3 && utf8Bytes(text) > descriptionBytesMax
                        ? text.substring(0, descriptionBytesMax / 3)
                        : text);
        map(out, error.getInfo());
        endList(out, list);
    }

    private static int utf8Bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Starts a described list with a 32-bit size. Returns the position of the size for {@link #endList}. */
    int beginList(ProtonBuffer out, int code, int count) {
        descriptor(out, code);
        out.writeByte(EncodingCodes.LIST32);
        int size = out.getWriteOffset();
        out.writeInt(0);
        out.writeInt(count);
        return size;
    }

    void endList(ProtonBuffer out, int size) {
        out.setInt(size, out.getWriteOffset() - size - Integer.BYTES);
    }

    private static int beginShortList(ProtonBuffer out, int code, int count) {
        descriptor(out, code);
        out.writeByte(EncodingCodes.LIST8);
        int size = out.getWriteOffset();
        out.writeByte((byte) 0);
        out.writeByte((byte) count);
        return size;
    }

    private static void endShortList(ProtonBuffer out, int size) {
        out.setByte(size, (byte) (out.getWriteOffset() - size - Byte.BYTES));
    }

    private static void descriptor(ProtonBuffer out, int code) {
        out.writeByte(EncodingCodes.DESCRIBED_TYPE_INDICATOR);
        out.writeByte(EncodingCodes.SMALLULONG);
        out.writeByte((byte) code);
    }

    static void nulls(ProtonBuffer out, int count) {
        for (int i = 0; i < count; i++) {
            out.writeByte(EncodingCodes.NULL);
        }
    }

    static void bool(ProtonBuffer out, boolean value) {
        out.writeByte(value ? EncodingCodes.BOOLEAN_TRUE : EncodingCodes.BOOLEAN_FALSE);
    }

    void string(ProtonBuffer out, @Nullable String text) {
        if (text == null) {
            nulls(out, 1);
        } else {
            encoder.writeString(out, state, text);
        }
    }

    void symbol(ProtonBuffer out, @Nullable Symbol symbol) {
        if (symbol == null) {
            nulls(out, 1);
        } else {
            encoder.writeSymbol(out, state, symbol);
        }
    }

    void symbols(ProtonBuffer out, Symbol @Nullable [] symbols) {
        if (symbols == null || symbols.length == 0) {
            nulls(out, 1);
        } else {
            encoder.writeArray(out, state, symbols);
        }
    }

    void unsignedInt(ProtonBuffer out, long value) {
        encoder.writeUnsignedInteger(out, state, value);
    }

    void map(ProtonBuffer out, @Nullable Map<?, ?> map) {
        if (map == null) {
            nulls(out, 1);
        } else {
            encoder.writeMap(out, state, map);
        }
    }

    void object(ProtonBuffer out, @Nullable Object value) {
        encoder.writeObject(out, state, value);
    }
}
