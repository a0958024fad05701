package dev.jitney.fuzz.engine;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * An input that caused a failure.
 *
 * @param target name of the target
 * @param origin origin of the input: a seed and a number, or a file
 * @param input original input
 * @param minimised smallest input that fails in the same way
 * @param failure the failure
 */
public record Finding(String target, String origin, byte[] input, byte[] minimised, Throwable failure) {
    private static final int SHOWN_BYTES = 2_048;

    /** Returns the finding as lines for people. */
    public String text() {
        return "fuzz " + target + ": " + origin + ", " + input.length + " bytes, minimized to " + minimised.length
                + ":\n  " + failure + "\n  as text: " + readable(minimised) + "\n  as bytes:  "
                + HexFormat.of().formatHex(minimised, 0, Math.min(minimised.length, SHOWN_BYTES));
    }

    private static String readable(byte[] input) {
        StringBuilder out = new StringBuilder();
        new String(input, 0, Math.min(input.length, SHOWN_BYTES), StandardCharsets.ISO_8859_1)
                .chars()
                .forEach(c -> out.append(c >= ' ' && c < 0x7f ? (char) c : '.'));
        return out.toString();
    }
}
