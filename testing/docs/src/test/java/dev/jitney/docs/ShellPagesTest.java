package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.JitneyCommands;
import dev.jitney.server.cli.JitneyCli;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that runs the shell blocks of a page one after the other, with servers in their own processes.
 *
 * <p>Each page has a directory in which {@code ./jitney} runs the programs of this build. {@code ./jitney server}
 * returns when the server is ready, and stops the previous one; the nodes of a cluster run side by side. If a page needs a server and starts none, the test
 * starts one. It serves {@code samples/config.json}, or nothing if the page creates {@code orders} itself. Free ports
 * replace the ports of the page. Programs in other languages are recorded instead of run: the conformance tests must
 * run them.
 */
class ShellPagesTest {
    private static final int MINUTES = 5;

    /** The pages whose blocks are run by another test, which must contain the path of the page. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "docs/guides/command-line.md", "cli/src/test/java/dev/jitney/cli/GuideTest.java",
            "docs/guides/topics.md", "cli/src/test/java/dev/jitney/cli/GuideTest.java",
            "docs/guides/temporary-entities.md", "cli/src/test/java/dev/jitney/cli/GuideTest.java",
            "docs/guides/repair-messages.md", "cli/src/test/java/dev/jitney/cli/GuideTest.java",
            "docs/guides/http-messaging.md",
                    "testing/conformance/src/test/java/dev/jitney/conformance/samples/HttpGuideTest.java",
            "docs/guides/administration-http.md",
                    "testing/conformance/src/test/java/dev/jitney/conformance/samples/HttpGuideTest.java",
            "docs/guides/operator-api.md",
                    "testing/conformance/src/test/java/dev/jitney/conformance/samples/HttpGuideTest.java",
            "docs/guides/metering.md",
                    "testing/conformance/src/test/java/dev/jitney/conformance/samples/HttpGuideTest.java");

    /**
     * The replacements for commands while a page is run. They prepare the shell and record programs that other tests
     * run.
     */
    private static final String PRELUDE = """
            set -euo pipefail
            here=$PWD
            noted() { printf '%s\\n' "$*" >>"$here/noted.txt"; }
            mvn() { noted mvn "$@"; }
            npm() { noted npm "$@"; }
            node() { noted node "$@"; }
            python3() { if [ "${1:-}" = - ]; then command python3 "$@"; else noted python3 "$@"; fi; }
            finish() { [ $? = 0 ] || cat "$here"/node-*.txt 2>/dev/null || true; cat "$here"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null || true; }
            trap finish EXIT
            """;

    private static final String LAUNCHER = """
            #!/bin/sh
            set -eu
            here=$(cd "$(dirname "$0")" && pwd)
            if [ "${1:-}" != server ]; then
                case ${1:-} in
                    health | cluster | backup) main=%2$s ;;
                    *) main=%3$s ;;
                esac
                exec '%1$s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$CLASS_PATH" "$main" "$@"
            fi
            case "$*" in
                *--cluster-node*)
                    '%1$s' -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$CLASS_PATH" %2$s "$@" >"$here/node-$$.txt" 2>&1 </dev/null &
                    echo $! >"$here/node-$$.pid"
                    exit
                    ;;
            esac
            if [ -f "$here/server.pid" ]; then
                kill "$(cat "$here/server.pid")" 2>/dev/null || true
                until ! kill -0 "$(cat "$here/server.pid")" 2>/dev/null; do sleep 0.1; done
                rm -r "$here/jitney-data" 2>/dev/null || true
            fi
            : >"$here/server.txt"
            '%1$s' -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$CLASS_PATH" %2$s "$@" >"$here/server.txt" 2>&1 </dev/null &
            echo $! >"$here/server.pid"
            tenths=0
            until grep -q 'is ready' "$here/server.txt"; do
                if ! kill -0 "$(cat "$here/server.pid")" 2>/dev/null || [ "$tenths" -ge 1200 ]; then
                    cat "$here/server.txt"
                    exit 1
                fi
                sleep 0.1
                tenths=$((tenths + 1))
            done
            """;

    @TempDir
    Path directory;

    @TestFactory
    @DisplayName("The blocks of a page run successfully, one after the other")
    Stream<DynamicTest> pages() {
        return Page.all().stream()
                .filter(page ->
                        !ELSEWHERE.containsKey(page.path()) && !runnable(page).isEmpty())
                .map(page -> DynamicTest.dynamicTest(page.path(), () -> run(page)));
    }

    @Test
    @DisplayName("A page that is run elsewhere is mentioned in the test that runs it")
    void elsewhere() throws IOException {
        for (Map.Entry<String, String> page : ELSEWHERE.entrySet()) {
            assertThat(Files.readString(Page.root().resolve(page.getValue()))).contains(page.getKey());
        }
    }

    private static List<Block> runnable(Page page) {
        return page.blocks().stream()
                .filter(block -> block.language().equals("sh") && block.notRun() == null)
                .toList();
    }

    private void run(Page page) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is missing on this machine.");
        Path folder = Files.createDirectory(directory.resolve(page.path().replaceAll("\\W", "-")));
        Files.createSymbolicLink(folder.resolve("samples"), Page.root().resolve("samples"));
        Path launcher = folder.resolve("jitney");
        Files.writeString(
                launcher,
                LAUNCHER.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        JitneyCli.class.getName(),
                        JitneyCommands.class.getName()));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));

        String blocks = runnable(page).stream().map(Block::text).collect(Collectors.joining("\n"));
        boolean startsOne = ShellCommands.in(blocks).stream()
                .findFirst()
                .map(words -> words.get(0).equals("server"))
                .orElse(true);
        Map<String, String> environment = new HashMap<>();
        List<Integer> ports = FreePorts.of(2);
        if (!blocks.contains("--cluster-node ")) {
            environment.put("JITNEY_AMQP_PORT", String.valueOf(ports.get(0)));
            environment.put("JITNEY_HTTP_PORT", String.valueOf(ports.get(1)));
        }
        environment.put(
                "JITNEY_CONNECTION_STRING",
                "Endpoint=sb://localhost:" + ports.get(0)
                        + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true");
        environment.put("JITNEY_ADMIN_URL", "http://localhost:" + ports.get(1));
        environment.put("JITNEY_URL", "http://localhost:" + ports.get(1));
        environment.put("CLASS_PATH", System.getProperty("java.class.path"));
        environment.put("TMPDIR", folder.toString());
        // The key for monitoring.
        environment.put("KEY", "SAS_KEY_VALUE");
        String script = PRELUDE
                + (startsOne
                        ? ""
                        : blocks.contains("create orders")
                                ? "./jitney server\n"
                                : "./jitney server --config samples/config.json\n")
                + withFreePorts(blocks);

        Path said = folder.resolve("said.txt");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.destroy();
        String output = script + "\nprinted:\n" + Files.readString(said);
        assertThat(ended).as(output).isTrue();
        assertThat(process.waitFor()).as(output).isZero();
        if (Files.exists(folder.resolve("noted.txt"))) {
            for (String program : Files.readAllLines(folder.resolve("noted.txt"))) {
                assertThat(runElsewhere(program)).as(program).isTrue();
            }
        }
    }

    /** Replaces the ports of a page by free ones, because tests run in parallel and without privileges. */
    private static String withFreePorts(String script) throws IOException {
        String result = script;
        List<String> written = List.of("443", "5301", "5671", "8443");
        List<Integer> free = FreePorts.of(written.size());
        for (int i = 0; i < written.size(); i++) {
            result = result.replaceAll("(-port )" + written.get(i) + "\\b", "$1" + free.get(i));
        }
        if (script.contains("--cluster-node ")) {
            for (String port : List.of("5672", "5673", "5674", "5675")) {
                result = result.replaceAll("\\b" + port + "\\b", String.valueOf(freePair()));
            }
            for (int port : List.of(7400, 7410, 7420, 7430)) {
                int pair = freePair();
                result = result.replaceAll("\\b" + port + "\\b", String.valueOf(pair))
                        .replaceAll("\\b" + (port + 1) + "\\b", String.valueOf(pair + 1));
            }
        }
        return result;
    }

    /**
     * Returns a free port whose next port is free too: the two ports of a node of a cluster. A node binds them some time later, so
     * they are below those that the system gives to connections.
     */
    private static int freePair() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket one = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    ServerSocket next = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
                return next.getLocalPort() - one.getLocalPort() == 1 ? port : freePair();
            } catch (IOException e) {
                // One of them is in use: try another pair.
            }
        }
    }

    /**
     * Returns whether the conformance tests run a program of another language, or whether it only installs
     * dependencies.
     */
    private static boolean runElsewhere(String program) throws IOException {
        if (program.equals("npm ci") || program.equals("python3 -m pip install azure-servicebus")) {
            return true;
        }
        String name = program.startsWith("mvn -q -f samples/java/pom.xml compile exec:java")
                ? program.contains("mainClass=") ? program.replaceFirst(".*\\.", "") + ".run(" : "FirstMessage.run("
                : program.replaceFirst("^(node|python3) (.*/)?", "");
        try (Stream<Path> tests = Files.walk(Page.root().resolve("testing/conformance/src/test/java"))) {
            return tests.filter(file -> file.toString().endsWith("Test.java")).anyMatch(file -> {
                try {
                    return Files.readString(file).contains(name);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
