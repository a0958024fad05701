package dev.jitney.distribution.audit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Accepted findings, one on each line: the id of an advisory or an alias, the name of the library, the last day on which it is accepted, and
 * the reason. So an acceptance ends by itself.
 *
 * <pre>
 * GHSA-xxxx-xxxx-xxxx  group:artifact  2027-01-31  Only the client part is affected, which Jitney does not use.
 * </pre>
 */
final class Allowances {
    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(\\S+)\\s+(\\d{4}-\\d{2}-\\d{2})\\s+(\\S.*)");

    private final Map<String, LocalDate> ends = new HashMap<>();
    private final Set<String> unused = new HashSet<>();

    /** Reads a file, or returns none if it does not exist. */
    static Allowances read(Path file) throws IOException {
        Allowances all = new Allowances();
        if (!Files.exists(file)) {
            return all;
        }
        int number = 0;
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            Matcher matcher = LINE.matcher(line.strip());
            try {
                if (!matcher.matches()) {
                    throw new DateTimeParseException("another form", line, 0);
                }
                String key = matcher.group(1) + " " + matcher.group(2);
                all.ends.put(key, LocalDate.parse(matcher.group(3)));
                all.unused.add(key);
            } catch (DateTimeParseException e) {
                throw new IOException(
                        file + ", line " + number
                                + ": Expected ID, library, last day such as 2027-01-31 and reason, but got '" + line
                                + "'.",
                        e);
            }
        }
        return all;
    }

    boolean accepts(Advisory advisory, Library library, LocalDate today) {
        boolean accepted = false;
        for (String id : advisory.ids()) {
            String key = id + " " + library.name();
            LocalDate end = ends.get(key);
            if (end != null) {
                unused.remove(key);
                accepted |= !today.isAfter(end);
            }
        }
        return accepted;
    }

    /** Returns the lines that no finding needed. */
    Set<String> unused() {
        return unused;
    }
}
