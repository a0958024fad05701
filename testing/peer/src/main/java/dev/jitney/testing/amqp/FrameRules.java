package dev.jitney.testing.amqp;

import java.util.Map;

/**
 * The rules for every frame of a server, because some clients index into it (wire reference 0.3 rules 1 and 2, and
 * 1.5): full lists, explicit nulls, one-byte descriptors, no {@code list0}.
 */
public final class FrameRules {
    private static final Map<Integer, Integer> LENGTHS = Map.ofEntries(
            Map.entry(Code.OPEN, 10),
            Map.entry(Code.BEGIN, 8),
            Map.entry(Code.ATTACH, 14),
            Map.entry(Code.FLOW, 11),
            Map.entry(Code.TRANSFER, 11),
            Map.entry(Code.DISPOSITION, 6),
            Map.entry(Code.DETACH, 3),
            Map.entry(Code.END, 1),
            Map.entry(Code.CLOSE, 1),
            Map.entry(Code.SOURCE, 11),
            Map.entry(Code.TARGET, 7),
            Map.entry(Code.ERROR, 3));

    private FrameRules() {}

    /** Fails on the first frame that breaks a rule. */
    public static void assertKept(Iterable<RawFrame> frames) {
        for (RawFrame frame : frames) {
            Node performative = frame.performative();
            if (performative == null || frame.type() != 0) {
                continue;
            }
            if (frame.body()[0] != 0x00 || frame.body()[1] != 0x53) {
                throw new AssertionError("Expected a descriptor of the form 00 53 code, but got " + frame);
            }
            assertFull(performative, frame);
            switch ((int) performative.descriptorCode()) {
                case Code.ATTACH -> {
                    assertFull(frame.field(5), frame);
                    assertFull(frame.field(6), frame);
                }
                case Code.DISPOSITION -> {
                    Node state = frame.field(4);
                    if (state.isDescribed()) {
                        if (state.descriptorCode() != Code.ACCEPTED && state.descriptorCode() != Code.RELEASED) {
                            assertNotEmptyForm(state, frame);
                        }
                        assertError(state.descriptorCode() == Code.REJECTED ? state.at(0) : null, frame);
                    }
                }
                case Code.DETACH -> assertError(frame.field(2), frame);
                case Code.END, Code.CLOSE -> assertError(frame.field(0), frame);
                default -> {}
            }
        }
    }

    private static void assertError(@org.jspecify.annotations.Nullable Node error, RawFrame frame) {
        if (error == null || error.isNull()) {
            return;
        }
        assertFull(error, frame);
        if (!error.at(0).isSymbol()
                || !error.at(1).isString()
                || error.at(1).text().isEmpty()) {
            throw new AssertionError("Expected an error with a condition and a description, but got " + frame);
        }
    }

    private static void assertFull(Node composite, RawFrame frame) {
        if (composite.isNull()) {
            return;
        }
        Integer length = LENGTHS.get((int) composite.descriptorCode());
        if (length != null && composite.size() != length) {
            throw new AssertionError("Expected " + length + " fields in " + composite + ", but got " + composite.size()
                    + " in " + frame);
        }
        assertNotEmptyForm(composite, frame);
    }

    private static void assertNotEmptyForm(Node composite, RawFrame frame) {
        if (composite.described().code() == 0x45) {
            throw new AssertionError("Expected no list0 for " + composite + " in " + frame);
        }
    }
}
