package dev.jitney.distribution.audit;

import java.math.BigInteger;

/** The order of versions in npm (Semantic Versioning 2.0.0, section 11). Build metadata does not count. */
final class NpmVersion implements Comparable<NpmVersion> {
    private final String[] numbers;
    private final String[] preview;

    NpmVersion(String version) {
        String text = version.replaceFirst("^[v=\\s]+", "").replaceFirst("\\+.*", "");
        int hyphen = text.indexOf('-');
        numbers = (hyphen < 0 ? text : text.substring(0, hyphen)).split("\\.", -1);
        preview = hyphen < 0 ? new String[0] : text.substring(hyphen + 1).split("\\.", -1);
    }

    @Override
    public int compareTo(NpmVersion other) {
        int order = compare(numbers, other.numbers, "0");
        if (order != 0) {
            return order;
        }
        if (preview.length == 0 || other.preview.length == 0) {
            return Integer.compare(other.preview.length == 0 ? 0 : 1, preview.length == 0 ? 0 : 1);
        }
        return compare(preview, other.preview, "");
    }

    private static int compare(String[] one, String[] two, String missing) {
        for (int i = 0; i < Math.max(one.length, two.length); i++) {
            String first = i < one.length ? one[i] : missing;
            String second = i < two.length ? two[i] : missing;
            boolean firstNumber = first.matches("\\d+");
            boolean secondNumber = second.matches("\\d+");
            int order = firstNumber && secondNumber
                    ? new BigInteger(first).compareTo(new BigInteger(second))
                    : first.isEmpty() || second.isEmpty()
                            ? Integer.compare(first.length(), second.length())
                            : firstNumber != secondNumber ? (firstNumber ? -1 : 1) : first.compareTo(second);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NpmVersion version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        return numbers.length == 0 ? 0 : numbers[0].hashCode();
    }
}
