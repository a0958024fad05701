package dev.jitney.distribution;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text resources in which {@code @NAME@} stands for a value. */
final class Templates {
    private static final Pattern NAME = Pattern.compile("@([A-Z_]+)@");

    private Templates() {}

    static String text(String resource, Map<String, String> values) throws IOException {
        try (InputStream in = Templates.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new ReleaseException("Expected the resource " + resource + ", but it is missing.");
            }
            Matcher names = NAME.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return names.replaceAll(found -> {
                String value = values.get(found.group(1));
                if (value == null) {
                    throw new IllegalArgumentException(
                            "Expected a value for " + found.group() + " in " + resource + ", but got none.");
                }
                return Matcher.quoteReplacement(value);
            });
        }
    }

    /** Returns the text with Windows line ends. */
    static String windowsText(String resource, Map<String, String> values) throws IOException {
        return text(resource, values).replace("\n", "\r\n");
    }
}
