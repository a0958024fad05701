package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the guide to adding a command. Adds a command to the core step by step, and compares the compiler errors with
 * the list in the guide.
 */
@DisplayName("A new command causes compiler errors at the places in the guide")
class AddACommandTest {
    private static final String GUIDE = "docs/guides/add-a-command.md";
    private static final String CORE = "core/src/main/java";
    private static final String COMMAND = CORE + "/dev/jitney/core/Command.java";
    private static final String KIND = CORE + "/dev/jitney/core/CommandKind.java";
    private static final Pattern PLACE = Pattern.compile("\\(\\.\\./\\.\\./(core/[\\w/]+\\.java)\\)");

    @TempDir
    Path classes;

    /** A source file of the tree, perhaps with changes. */
    private static final class Source extends SimpleJavaFileObject {
        private final String path;
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path.substring(path.indexOf("/java/") + 6)), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    @Test
    @DisplayName("the tree compiles without changes")
    void compiles() throws IOException {
        assertThat(errors(text(COMMAND), text(KIND))).isEmpty();
    }

    @Test
    @DisplayName("exactly the places in the guide cause compiler errors")
    void stopsWhereTheGuideSays() throws IOException {
        Set<String> found = new TreeSet<>();
        Set<String> withoutKind = errors(with("record Probe(long number) implements Command {}"), text(KIND));
        Set<String> withoutTraits = errors(withKind(), kinds("PROBE,\n"));
        Set<String> withTraits = errors(
                withKind(), kinds("PROBE(USE, NO_CREDIT, FREE, OF_ONE_FRAGMENT, NO_TOPIC, NEITHER, NO_MORE),\n"));
        found.addAll(withoutKind);
        found.addAll(withoutTraits);
        found.addAll(withTraits);

        assertThat(withoutKind).contains(COMMAND);
        assertThat(withoutTraits).contains(KIND);
        assertThat(withTraits).isNotEmpty().doesNotContain(COMMAND, KIND);
        assertThat(found).containsExactlyElementsOf(placesOfTheGuide());
    }

    private static Set<String> placesOfTheGuide() {
        Set<String> places = new TreeSet<>();
        Matcher place = PLACE.matcher(Page.of(GUIDE).text());
        while (place.find()) {
            places.add(place.group(1));
        }
        return places;
    }

    private static String withKind() {
        return with("record Probe(long number) implements Command {\n"
                + "        @Override\n"
                + "        public CommandKind kind() {\n"
                + "            return CommandKind.PROBE;\n"
                + "        }\n"
                + "    }");
    }

    /** Returns {@code Command} with an additional command. */
    private static String with(String command) {
        String text = text(COMMAND);
        return text.substring(0, text.lastIndexOf('}')) + "\n    " + command + "\n}\n";
    }

    /** Returns {@code CommandKind} with an additional kind. */
    private static String kinds(String kind) {
        String before = "    SEND_MESSAGES(";
        assertThat(text(KIND)).contains(before);
        return text(KIND).replace(before, "    " + kind + before);
    }

    private static String text(String path) {
        return Page.of(path).text();
    }

    /** Returns the source files that do not compile with these two files instead of those of the tree. */
    private Set<String> errors(String command, String kind) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<Source> sources = new ArrayList<>();
        for (String root : List.of(CORE, "runtime/src/main/java")) {
            try (Stream<Path> files = Files.walk(Page.root().resolve(root))) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    String path = Page.root().relativize(file).toString().replace('\\', '/');
                    String text = path.equals(COMMAND) ? command : path.equals(KIND) ? kind : Files.readString(file);
                    if (path.equals(KIND) || text.contains("kind()")) { // other files do not use kinds
                        sources.add(new Source(path, text));
                    }
                }
            }
        }
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "--should-stop=ifError=FLOW",
                    "-proc:none",
                    "-nowarn",
                    "-Xmaxerrs",
                    "1000",
                    "-d",
                    classes.toString(),
                    "-cp",
                    classPath);
            compiler.getTask(null, files, diagnostics, options, null, sources).call();
        }
        Set<String> errors = new TreeSet<>();
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                assertThat(diagnostic.getSource()).as("%s", diagnostic).isInstanceOf(Source.class);
                errors.add(((Source) diagnostic.getSource()).path);
            }
        }
        return errors;
    }
}
