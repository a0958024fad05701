package dev.jitney.distribution.audit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The order of versions in Maven: numbers and qualifiers, separated by dots, hyphens and changes between digits and letters. Qualifiers for
 * versions before a release are smaller than the release, and others are larger (Maven, "POM Reference", Version Order Specification).
 */
final class MavenVersion implements Comparable<MavenVersion> {
    private static final Pattern TOKEN = Pattern.compile("\\d+|[a-z]+");
    private static final List<String> QUALIFIERS = List.of("alpha", "beta", "milestone", "rc", "snapshot", "", "sp");
    private static final int RELEASE = QUALIFIERS.indexOf("");

    private final List<String> tokens = new ArrayList<>();

    MavenVersion(String version) {
        Matcher matcher = TOKEN.matcher(version.toLowerCase(Locale.ROOT));
        while (matcher.find()) {
            tokens.add(canonical(matcher.group(), version, matcher.end()));
        }
        // A version with zeros at its end is the same without them.
        while (!tokens.isEmpty() && isEmpty(tokens.get(tokens.size() - 1))) {
            tokens.remove(tokens.size() - 1);
        }
    }

    private static String canonical(String token, String version, int end) {
        boolean beforeNumber = end < version.length() && Character.isDigit(version.charAt(end));
        return switch (token) {
            case "ga", "final", "release" -> "";
            case "cr" -> "rc";
            case "a" -> beforeNumber ? "alpha" : token;
            case "b" -> beforeNumber ? "beta" : token;
            case "m" -> beforeNumber ? "milestone" : token;
            default -> token;
        };
    }

    private static boolean isEmpty(String token) {
        return token.isEmpty() || token.matches("0+");
    }

    @Override
    public int compareTo(MavenVersion other) {
        int length = Math.max(tokens.size(), other.tokens.size());
        for (int i = 0; i < length; i++) {
            int order = compare(
                    i < tokens.size() ? tokens.get(i) : null, i < other.tokens.size() ? other.tokens.get(i) : null);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** A missing token is the number 0 beside a number, and the release beside a qualifier. */
    private static int compare(@Nullable String one, @Nullable String two) {
        boolean oneNumber = one == null ? isNumber(two) : isNumber(one);
        boolean twoNumber = two == null ? isNumber(one) : isNumber(two);
        if (oneNumber && twoNumber) {
            return number(one).compareTo(number(two));
        } else if (oneNumber != twoNumber) {
            return oneNumber ? 1 : -1; // a number is newer than any qualifier
        }
        String first = one == null ? "" : one;
        String second = two == null ? "" : two;
        int order = Integer.compare(rank(first), rank(second));
        return order != 0 ? order : first.compareTo(second);
    }

    private static boolean isNumber(@Nullable String token) {
        return token != null && !token.isEmpty() && Character.isDigit(token.charAt(0));
    }

    private static BigInteger number(@Nullable String token) {
        return token == null ? BigInteger.ZERO : new BigInteger(token);
    }

    private static int rank(String qualifier) {
        int known = QUALIFIERS.indexOf(qualifier);
        return known < 0 ? QUALIFIERS.size() : known;
    }

    /** Returns whether it is a version before a release. */
    boolean isPreview() {
        return tokens.stream().anyMatch(token -> !isNumber(token) && rank(token) < RELEASE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MavenVersion version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        return tokens.hashCode();
    }
}
