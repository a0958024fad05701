package dev.jitney.docs.english;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The number of faults of each kind of text and rule that the tree may have. The file has a line for each: kind, rule, number
 * when the check was introduced, number now. Numbers may only fall.
 *
 * @param first number of faults when the check was introduced, by kind and rule
 * @param now   number of faults that the tree has now, by kind and rule
 */
record Ratchet(Map<String, Integer> first, Map<String, Integer> now) {
    static final String FILE = "testing/docs/plain-english.txt";

    static Ratchet read(Path root) throws IOException {
        Map<String, Integer> first = new TreeMap<>();
        Map<String, Integer> now = new TreeMap<>();
        for (String line : Files.readAllLines(root.resolve(FILE))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.trim().split(" +");
                String key = words[0] + " " + words[1];
                first.put(key, Integer.parseInt(words[2]));
                now.put(key, Integer.parseInt(words[3]));
            }
        }
        return new Ratchet(first, now);
    }

    /** Counts the faults by kind and rule, with zero for those that have none. */
    static Map<String, Integer> count(List<PlainEnglish.Fault> faults) {
        Map<String, Integer> counts = new TreeMap<>();
        for (TextKind kind : TextKind.values()) {
            for (Rule rule : Rule.values()) {
                counts.put(kind + " " + rule, 0);
            }
        }
        for (PlainEnglish.Fault fault : faults) {
            counts.merge(fault.passage().kind() + " " + fault.rule(), 1, Integer::sum);
        }
        return counts;
    }
}
