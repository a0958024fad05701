package dev.jitney.fuzz.engine;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * An input that was not taken as it should be.
 *
 * @param target its name
 * @param origin how the input came about: a seed and a number, or a file
 * @param input as it was found
 * @param minimised the smallest that fails in the same way
 * @param failure what went wrong
 */
public record Finding(String target, String origin, byte[] input, byte[] minimised, Throwable failure) {
    private static final int SHOWN_BYTES = 2_048;

    /** All of it in lines, for people. */
    public String text() {
        return "fuzz " + target + ": " + origin + ", " + input.length + " octets, minimised to " + minimised.length
                + ":\n  " + failure + "\n  as text: " + readable(minimised) + "\n  as octets: "
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
