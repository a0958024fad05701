package dev.jitney.docs.english;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads texts and finds the sentences that break a rule. */
final class PlainEnglish {
    private static final Set<String> SKIPPED = Set.of("node_modules", ".git");

    private PlainEnglish() {}

    /**
     * A sentence, or a word of it, that breaks a rule.
     *
     * @param passage it is in
     * @param rule    it breaks
     * @param text    the sentence
     */
    record Fault(Passage passage, Rule rule, String text) {
        @Override
        public String toString() {
            return passage.file() + ":" + passage.line() + ": " + passage.kind() + " " + rule + ": " + text;
        }
    }

    /** Prints the faults of files and folders, by default of the whole tree. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        List<Path> places = Stream.of(arguments).map(root::resolve).toList();
        List<Fault> faults = new ArrayList<>();
        for (Path place : places.isEmpty() ? List.of(root) : places) {
            for (Path file : files(place)) {
                faults.addAll(faults(root, file));
            }
        }
        faults.forEach(System.out::println);
        System.out.println(faults.size() + " sentences to rewrite");
    }

    /** The files with texts, in the order of their names. */
    static List<Path> files(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(Files::isRegularFile)
                    .filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".md"))
                    .filter(file -> !isSkipped(place, file))
                    .sorted()
                    .toList();
        }
    }

    /** Returns whether a file is of another project or made by the build: a folder {@code target} beside a POM. */
    private static boolean isSkipped(Path place, Path file) {
        Path folder = place;
        for (Path part : place.relativize(file)) {
            boolean built = part.toString().equals("target") && Files.exists(folder.resolve("pom.xml"));
            if (built || SKIPPED.contains(part.toString())) {
                return true;
            }
            folder = folder.resolve(part);
        }
        return false;
    }

    /** Returns the texts of a file. */
    static List<Passage> passages(String name, String content) {
        String lines = content.replace("\r", "");
        return name.endsWith(".md") ? PageTexts.of(name, lines) : JavaTexts.of(name, lines);
    }

    /** Returns the faults of a file. */
    static List<Fault> faults(Path root, Path file) throws IOException {
        String name = root.relativize(file).toString().replace('\\', '/');
        List<Fault> faults = new ArrayList<>();
        for (Passage passage : passages(name, Files.readString(file))) {
            List<String> sentences = Sentences.of(passage.text());
            for (Rule rule : Rule.values()) {
                for (String text : rule.faults(passage.kind(), sentences)) {
                    faults.add(new Fault(passage, rule, text));
                }
            }
        }
        return faults;
    }
}
