package dev.jitney.simulation.planted;

import dev.jitney.simulation.run.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A fault to plant into the broker. {@code faults.txt} describes each by its name and by edits of source files:
 *
 * <pre>
 * fault: locks never expire
 * file: core/src/main/java/dev/jitney/core/Example.java
 * &lt;&lt;&lt;
 * lines as they are
 * ===
 * lines with the fault
 * &gt;&gt;&gt;
 * </pre>
 *
 * <p>The line {@code kind: cluster} after the name makes the simulator look for it in a cluster.
 *
 * @param name  says what the broker does wrong
 * @param kind  the kind of store in which it appears
 * @param edits of this fault, all made at once
 */
record PlantedFault(String name, StoreKind kind, List<Edit> edits) {
    /**
     * A replacement in a source file.
     *
     * @param file        relative to the top of the tree
     * @param original    lines that occur exactly once in the file; indentation and comments at the ends of lines do not count
     * @param replacement text that takes its place
     */
    record Edit(String file, String original, String replacement) {}

    /** Reads all faults of a file. */
    static List<PlantedFault> read(Path file) throws IOException {
        List<PlantedFault> faults = new ArrayList<>();
        String source = "";
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("fault: ")) {
                boolean cluster = i + 1 < lines.size() && lines.get(i + 1).equals("kind: cluster");
                faults.add(new PlantedFault(
                        line.substring("fault: ".length()),
                        cluster ? StoreKind.CLUSTER : StoreKind.SINGLE,
                        new ArrayList<>()));
                i += cluster ? 1 : 0;
            } else if (line.startsWith("file: ")) {
                source = line.substring("file: ".length());
            } else if (line.equals("<<<")) {
                int middle = next(lines, i, "===");
                int end = next(lines, middle, ">>>");
                faults.get(faults.size() - 1)
                        .edits
                        .add(new Edit(
                                source,
                                String.join("\n", lines.subList(i + 1, middle)),
                                String.join("\n", lines.subList(middle + 1, end))));
                i = end;
            } else if (!line.isBlank() && !line.startsWith("#")) {
                throw new IOException(file + ":" + (i + 1) + ": Expected a fault, a file or an edit, but got: " + line);
            }
        }
        return faults;
    }

    private static int next(List<String> lines, int from, String mark) throws IOException {
        int at = lines.subList(from, lines.size()).indexOf(mark);
        if (at < 0) {
            throw new IOException("Expected " + mark + " after line " + (from + 1) + ".");
        }
        return from + at;
    }

    /** Returns the source files of this fault with all edits made, by their paths. */
    Map<String, String> edited(Path root) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String source = sources.get(edit.file);
            if (source == null) {
                source = Files.readString(root.resolve(edit.file));
            }
            sources.put(edit.file, replace(source, edit));
        }
        return sources;
    }

    private String replace(String source, Edit edit) throws IOException {
        List<String> wanted = edit.original.lines().map(PlantedFault::code).toList();
        List<String> lines = source.lines().toList();
        int found = -1;
        for (int i = 0; i + wanted.size() <= lines.size(); i++) {
            if (lines.subList(i, i + wanted.size()).stream()
                    .map(PlantedFault::code)
                    .toList()
                    .equals(wanted)) {
                if (found >= 0) {
                    throw new IOException("The fault \"" + name + "\" fits two places of " + edit.file + ": line "
                            + (found + 1) + " and line " + (i + 1) + ". Give it more lines.");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new IOException("The fault \"" + name + "\" fits no place of " + edit.file
                    + ". Adapt it to the code of today. It replaces:\n" + edit.original);
        }
        List<String> edited = new ArrayList<>(lines.subList(0, found));
        edited.add(edit.replacement);
        edited.addAll(lines.subList(found + wanted.size(), lines.size()));
        return String.join("\n", edited) + "\n";
    }

    private static String code(String line) {
        return line.replaceFirst("\\s*//.*$", "").strip();
    }
}
