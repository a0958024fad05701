package dev.jitney.core.filter.property;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The name of a user property, compared without case (FILTER-5): character by character like
 * {@link String#equalsIgnoreCase}, independent of any language. Ordered, so that a map stays fast even if a client
 * chooses names with equal hash codes.
 */
public final class PropertyName implements Comparable<PropertyName> {
    private final String text;
    private final String folded;
    private final byte @Nullable [] ascii;

    public PropertyName(String text) {
        this.text = text;
        this.folded = fold(text);
        this.ascii = isAscii(folded) ? folded.getBytes(StandardCharsets.US_ASCII) : null;
    }

    /** Returns the name as written. */
    public String text() {
        return text;
    }

    /** Returns the form that is equal for names that differ only by case. */
    public String folded() {
        return folded;
    }

    /** Returns whether an ASCII name in an array equals this name. */
    boolean isAscii(byte[] bytes, int from, int to) {
        byte[] expected = ascii;
        if (expected == null || expected.length != to - from) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            int octet = bytes[from + i];
            if (octet != expected[i] && (octet < 'A' || octet > 'Z' || octet + ('a' - 'A') != expected[i])) {
                return false;
            }
        }
        return true;
    }

    public static String fold(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (fold(text.charAt(i)) != text.charAt(i)) {
                char[] characters = text.toCharArray();
                for (int at = i; at < characters.length; at++) {
                    characters[at] = fold(characters[at]);
                }
                return new String(characters);
            }
        }
        return text;
    }

    private static char fold(char character) {
        return Character.toLowerCase(Character.toUpperCase(character));
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(character -> character < 0x80);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PropertyName that && folded.equals(that.folded);
    }

    @Override
    public int compareTo(PropertyName other) {
        return folded.compareTo(other.folded);
    }

    @Override
    public int hashCode() {
        return folded.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
