package dev.jitney.distribution.audit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code jitney audit-dependencies}: compares the libraries with known vulnerabilities. */
@Command(
        name = "jitney audit-dependencies",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Compares the libraries of Jitney, and the packages in its web console, with a file of known"
                    + " vulnerabilities. It needs no network.",
            "",
            "Exit status: 0 = no finding, or the file is not there and the audit is skipped; 1 = findings; 2 = invalid"
                    + " options or files."
        })
public final class AuditDependencies implements Callable<Integer> {
    private static final int INVALID = 2;

    private final PrintStream out;
    private final PrintStream err;
    private final Clock clock;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "FILE",
            description = "File in the format of OSV: the zip file of an ecosystem (Maven, npm), or JSON. Repeatable.")
    private List<Path> data = List.of();

    @Option(
            names = "--allow",
            paramLabel = "FILE",
            description = "File with accepted findings: ID, library, last day and reason on each line (default:"
                    + " audit-allow.txt in the source tree).")
    private @Nullable Path allow;

    @Option(names = "--root", hidden = true, paramLabel = "DIR", description = "The source tree.")
    private Path root = Path.of("");

    AuditDependencies(PrintStream out, PrintStream err, Clock clock) {
        this.out = out;
        this.err = err;
        this.clock = clock;
    }

    public static void main(String[] args) {
        System.exit(execute(System.out, System.err, Clock.systemUTC(), args));
    }

    static int execute(PrintStream out, PrintStream err, Clock clock, String... args) {
        return new CommandLine(new AuditDependencies(out, err, clock))
                .setExecutionExceptionHandler((e, command, result) -> {
                    err.println("jitney: " + e.getMessage());
                    return INVALID;
                })
                .execute(args);
    }

    /** Returns all options, for documentation. */
    public static CommandLine model() {
        return new CommandLine(new AuditDependencies(System.out, System.err, Clock.systemUTC()));
    }

    @Override
    public Integer call() throws IOException {
        for (Path file : data) {
            if (!Files.exists(file)) {
                out.println("Skipped: there is no file " + file + " with known vulnerabilities.");
                return 0;
            }
        }
        Allowances allowed = Allowances.read(allow == null ? root.resolve("audit-allow.txt") : allow);
        Map<String, List<Library>> byName = new HashMap<>();
        List<Library> libraries = Libraries.of(root);
        for (Library library : libraries) {
            byName.merge(library.ecosystem() + " " + library.name(), List.of(library), (one, two) -> {
                List<Library> both = new ArrayList<>(one);
                both.addAll(two);
                return both;
            });
        }
        LocalDate today = LocalDate.now(clock);
        TreeSet<String> findings = new TreeSet<>();
        long[] accepted = {0};
        long advisories = 0;
        for (Path file : data) {
            advisories += Advisories.read(
                    file,
                    advisory -> advisory.document().path("affected").forEach(affected -> {
                        String key = affected.path("package").path("ecosystem").asText() + " "
                                + affected.path("package").path("name").asText();
                        for (Library library : byName.getOrDefault(key, List.of())) {
                            if (!advisory.affects(library)) {
                                continue;
                            }
                            if (allowed.accepts(advisory, library, today)) {
                                accepted[0]++;
                            } else {
                                findings.add(
                                        library + ": " + String.join(", ", advisory.ids()) + ": " + advisory.summary());
                            }
                        }
                    }));
        }
        findings.forEach(out::println);
        allowed.unused().forEach(line -> err.println("The accepted finding '" + line + "' does not occur. Remove it."));
        out.println(libraries.size() + " libraries, " + advisories + " advisories, " + accepted[0]
                + " accepted findings, " + findings.size() + " findings");
        return findings.isEmpty() ? 0 : 1;
    }
}
