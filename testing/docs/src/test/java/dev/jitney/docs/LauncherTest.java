package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the script {@code jitney} in a small source tree, with a fake Maven and a fake Java that only print their
 * arguments.
 */
class LauncherTest {
    private static final String MAVEN = """
            #!/bin/sh
            echo built >>"%s/builds.txt"
            echo '[INFO] Building Jitney 9.9 [1/3]'
            echo '[INFO] Building Jitney: model 9.9 [2/3]'
            echo '[INFO] Downloaded from central: a file'
            echo '[INFO] Building Jitney: server 9.9       [3/3]'
            for part in server cli testing/benchmarks; do
                mkdir -p $part/target
                : >$part/target/library.jar
                echo "$PWD/$part/target/library.jar" >$part/target/classpath.txt
            done
            : >server/target/jitney-server-9.9.jar
            : >cli/target/jitney-cli-9.9.jar
            : >testing/benchmarks/target/jitney-testing-benchmarks-9.9.jar
            """;

    @TempDir
    Path directory;

    private Path tree;
    private Path tools;

    /** The output of a run, with standard output and standard error together, and its exit code. */
    private record Result(int status, String said) {}

    @BeforeEach
    void makeTree() throws IOException {
        tree = Files.createDirectory(directory.resolve("tree"));
        tools = Files.createDirectory(directory.resolve("tools"));
        Files.copy(Page.root().resolve("jitney"), tree.resolve("jitney"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(tree.resolve("pom.xml"), "<project>\n  <version>9.9</version>\n</project>\n");
        for (String part : List.of("server", "cli", "testing/benchmarks")) {
            Files.createDirectories(tree.resolve(part).resolve("src/main"));
            Files.writeString(tree.resolve(part).resolve("pom.xml"), "<project/>");
        }
        program("mvn", MAVEN.formatted(directory));
        program("jdk/bin/java", "#!/bin/sh\necho \"java $*\"\n");
        Files.writeString(tools.resolve("jdk/release"), "JAVA_VERSION=\"21.0.1\"\n");
    }

    private void program(String name, String text) throws IOException {
        Path file = tools.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Result run(String... arguments) throws Exception {
        return run(List.of(), arguments);
    }

    private Result run(List<String> before, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(before);
        command.add(tree.resolve("jitney").toString());
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", tools.resolve("jdk").toString());
        builder.environment().put("PATH", tools + ":/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().put("JITNEY_BUILD_PATIENCE", "2");
        builder.environment().remove("JAVA_OPTS");
        builder.environment().remove("JITNEY_JAVA_OPTS");
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(2, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).as("the launcher ends").isTrue();
        return new Result(process.exitValue(), Files.readString(output));
    }

    private long builds() throws IOException {
        Path file = directory.resolve("builds.txt");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    @Test
    @DisplayName("Help and version do not build, and need neither Maven nor Java")
    void helpDoesNotBuild() throws Exception {
        Files.delete(tools.resolve("mvn"));
        Files.delete(tools.resolve("jdk/bin/java"));
        for (String[] arguments :
                new String[][] {{}, {"--help"}, {"-h"}, {"server", "--help"}, {"send", "--help"}, {"fuzz", "-h"}}) {
            Result result = run(arguments);
            assertThat(result.status()).as(result.said()).isZero();
            assertThat(result.said()).contains("Usage: jitney", "not built yet");
        }
        assertThat(run("--version")).isEqualTo(new Result(0, "jitney 9.9 (not built yet)\n"));
        assertThat(run("queue", "-V").said()).isEqualTo("jitney 9.9 (not built yet)\n");
        assertThat(Files.exists(tree.resolve("target"))).isFalse();
    }

    @Test
    @DisplayName("An exported CDPATH, in which cd finds the folder, does not change the place of the source tree")
    void cdPath() throws Exception {
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder("tree/jitney", "--version")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("CDPATH", directory.toString());
        assertThat(builder.start().waitFor()).isZero();
        assertThat(output).hasContent("jitney 9.9 (not built yet)");
    }

    @Test
    @DisplayName("The upgrade test needs the folder of another release, and says what to give")
    void upgradeTest() throws Exception {
        Result missing = run("upgrade-test");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.said()).contains("Expected --from DIR", "an unpacked archive");
        assertThat(run("upgrade-test", "--from", "/none").said())
                .contains("Expected the folder of another release, but got '/none'");
        assertThat(run("upgrade-test", "--help").said()).contains("Usage: jitney upgrade-test --from DIR");
        assertThat(builds()).isZero();
    }

    @Test
    @DisplayName("Every module that the launcher starts writes its class path")
    void everyStartedModuleWritesItsClassPath() {
        Matcher started = Pattern.compile("(?m)^ *module=(\\S+)$")
                .matcher(Page.of("jitney").text());
        Set<String> modules = new TreeSet<>();
        while (started.find()) {
            modules.add(started.group(1));
        }
        modules.remove("testing/crash"); // Maven runs it as a test

        assertThat(modules).contains("server", "cli", "testing/benchmarks");
        assertThat(modules)
                .allSatisfy(module -> assertThat(Page.of(module + "/pom.xml").text())
                        .as(module)
                        .contains("<artifactId>maven-dependency-plugin</artifactId>"));
    }

    @Test
    @DisplayName("The help without a build contains all commands of the built program")
    void helpIsWhole() throws Exception {
        String said = run("--help").said();
        dev.jitney.cli.JitneyCommands.model()
                .getSubcommands()
                .keySet()
                .forEach(command -> assertThat(said).containsPattern("(?m)^  " + command + " "));
    }

    @Test
    @DisplayName(
            "The first command builds once, shows modules and time, and runs; a built tree prints the help of the program")
    void buildsOnce() throws Exception {
        Result first = run("send", "orders", "--help-me");
        assertThat(first.status()).as(first.said()).isZero();
        assertThat(first.said())
                .contains(
                        "Building Jitney. The first build takes",
                        "module 3 of 3, Jitney: server (",
                        "1 files downloaded",
                        "Built in ")
                .containsPattern("java .*dev.jitney.cli.JitneyCommands send orders --help-me");
        Result second = run("send", "orders", "--", "--help");
        assertThat(second.said()).startsWith("java ").contains("-- --help");
        assertThat(run("build").status()).isZero();
        assertThat(builds()).isEqualTo(1);

        Files.setLastModifiedTime(
                tree.resolve("cli/pom.xml"), FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(run("--help").said()).startsWith("java ");
        assertThat(builds()).isEqualTo(1);
        assertThat(run("queue", "list").said()).contains("because its sources have changed");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    @DisplayName("Where the tree belongs to another user, the launcher prints instructions instead of waiting")
    void notWritable() throws Exception {
        boolean root = Files.getOwner(directory).getName().equals("root");
        Assumptions.assumeTrue(!root || Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is missing.");
        List<String> asAnother =
                root ? List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") : List.of();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        writable(false);
        try {
            Result result = run(asAnother, "send", "orders");
            assertThat(result.status()).isEqualTo(1);
            assertThat(result.said())
                    .contains(
                            "Jitney must be built first, but",
                            "cannot write to " + tree,
                            "./jitney build",
                            "git clone");
            assertThat(builds()).isZero();
        } finally {
            writable(true);
        }
    }

    private void writable(boolean yes) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path folder : all.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(yes ? "rwxr-xr-x" : "r-xr-xr-x"));
            }
        }
    }

    @Test
    @DisplayName("The launcher waits for another running build, with a time limit")
    void patienceEnds() throws Exception {
        Files.createDirectories(tree.resolve("target"));
        Files.writeString(
                tree.resolve("target/jitney-build.lock"),
                ProcessHandle.current().pid() + "\n");
        Result result = run("send", "orders");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.said()).contains("waiting until it is done", "remove the file");
        assertThat(builds()).isZero();
    }

    @Test
    @DisplayName("The lock of a killed build is taken over")
    void staleLock() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.createDirectories(tree.resolve("target"));
        Files.writeString(tree.resolve("target/jitney-build.lock"), dead.pid() + "\n");
        assertThat(run("send", "orders").status()).isZero();
        assertThat(builds()).isEqualTo(1);
        assertThat(Files.exists(tree.resolve("target/jitney-build.lock"))).isFalse();
    }

    @Test
    @DisplayName("A failed build shows the end of its log and the path of the log file")
    void failingBuild() throws Exception {
        program("mvn", "#!/bin/sh\necho '[ERROR] no such thing'\nexit 1\n");
        Result result = run("send", "orders");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.said()).contains("[ERROR] no such thing", "The build failed", "jitney-build.log");
        assertThat(Files.exists(tree.resolve("target/jitney-build.lock"))).isFalse();
    }
}
