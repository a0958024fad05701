package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a StatefulSet as Kubernetes would run them, without Kubernetes: each has a network of its own on a common bridge, a
 * name, a volume, and the variables of the manifest. A pod that starts again has another address, and its name resolves to that.
 * While a pod does not run, its name does not resolve. Probes come from the machine.
 *
 * <p>Used by one thread. It needs root, or sudo without a password.
 */
final class Pods implements AutoCloseable {
    private static final Map<String, String> PATH = Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    private static final int SECONDS = 90;
    private static final String MACHINE = "10.78.0.1";

    private final Path folder;
    private final UnpackedImage image;
    private final String serviceName;
    private final Map<String, Object> container;
    private final String script;
    private final Process machine;
    private final Process kubelet;
    private final PrintStream asked;
    private final BufferedReader answers;
    private final Map<String, Pod> pods = new TreeMap<>();
    private int addresses;
    private boolean hasNodeKeys;

    /** A pod while it runs. */
    private record Pod(String address, Process network, Process main) {}

    /**
     * @param statefulSet the manifest
     * @param folder      a folder for the volumes and the logs
     */
    Pods(UnpackedImage image, Map<String, Object> statefulSet, Path folder) throws Exception {
        this.folder = folder;
        this.image = image;
        serviceName = DeployFiles.text(statefulSet, "spec", "serviceName");
        container = DeployFiles.container(statefulSet);
        script = script();
        for (String file : List.of("etc/hosts", "etc/resolv.conf")) {
            Path mounted = image.root().resolve(file);
            Files.createDirectories(mounted.getParent());
            if (!Files.exists(mounted)) {
                Files.createFile(mounted);
            }
        }
        for (String mounted : List.of("etc/jitney", "etc/jitney-nodes")) {
            Files.createDirectories(image.root().resolve(mounted));
        }
        machine = network();
        ip(
                machine,
                "link set lo up",
                "link add br0 type bridge",
                "address add " + MACHINE + "/16 dev br0",
                "link set br0 up");
        List<String> command = new ArrayList<>(asRoot("nsenter", "--target", pid(machine), "--net", "--"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Path.of(Kubelet.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString(),
                Kubelet.class.getName()));
        kubelet = Artifacts.builder(folder, PATH, command)
                .redirectError(folder.resolve("kubelet").toFile())
                .start();
        asked = new PrintStream(kubelet.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = kubelet.inputReader(StandardCharsets.UTF_8);
    }

    private String script() throws IOException {
        Path file = folder.resolve("pod.sh");
        try (InputStream in = Pods.class.getResourceAsStream("pod.sh")) {
            Files.write(file, in.readAllBytes());
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file.toString();
    }

    /** Starts a process that keeps a network. */
    private Process network() throws IOException {
        Process process = Artifacts.builder(
                        folder, PATH, asRoot("unshare", "--net", "sh", "-c", "echo $$; exec sleep infinity"))
                .start();
        String pid = process.inputReader(StandardCharsets.UTF_8).readLine();
        Files.writeString(folder.resolve("pid-" + process.pid()), String.valueOf(pid));
        return process;
    }

    /** Returns the number of the process that keeps a network, behind sudo if there is one. */
    private String pid(Process network) throws IOException {
        return Files.readString(folder.resolve("pid-" + network.pid()));
    }

    private void ip(Process network, String... commands) throws Exception {
        for (String each : commands) {
            List<String> command = new ArrayList<>(List.of("nsenter", "--target", pid(network), "--net", "--", "ip"));
            command.addAll(List.of(each.split(" ")));
            ok(asRoot(command.toArray(String[]::new)));
        }
    }

    /** Starts a pod, with the volume that it had before. Does not wait until it is ready. */
    void start(String name) throws Exception {
        int number = ++addresses;
        String address = "10.78.1." + number;
        Process network = network();
        ip(machine, "link add pod" + number + " type veth peer name eth0 netns " + pid(network));
        ip(machine, "link set pod" + number + " master br0 up");
        ip(network, "link set lo up", "address add " + address + "/16 dev eth0", "link set eth0 up");
        image.volume(volume(name));
        etc(name);
        Process main = Artifacts.builder(folder, variables(name), command(name, network, image.start()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                .start();
        pods.put(name, new Pod(address, network, main));
        resolve();
    }

    /**
     * Makes an authority and a certificate for each node with the image, as the guide does, and gives each pod the files that the
     * secret of the guide has. As Kubernetes, it lets only the group of the pod read them.
     */
    void makeNodeKeys() throws Exception {
        Process network = network();
        try {
            image.volume(volume("maker"));
            etc("maker");
            List<String> whole = new ArrayList<>(image.entrypoint());
            whole.addAll(List.of("cluster", "certificates", "--out", "/data/certificates"));
            Map<String, String> all = variables("maker");
            all.remove("JITNEY_CLUSTER_TLS");
            Result made =
                    Artifacts.run(folder, all, command("maker", network, whole).toArray(String[]::new));
            assertThat(made.status()).as(made.toString()).isZero();
        } finally {
            end(network);
        }
        hasNodeKeys = true;
    }

    private void nodeKeys(Path keys) throws Exception {
        Files.createDirectories(keys);
        String all = volume("maker").resolve("certificates") + "/";
        String owner = "0:" + ImageTar.USER;
        ok(asRoot(
                "sh",
                "-c",
                "cp " + all + "jitney-*.pem " + all + "ca.pem " + keys + " && chown " + owner + " " + keys
                        + "/* && chmod 0440 " + keys + "/*"));
    }

    private Path volume(String name) {
        return folder.resolve("volume-" + name);
    }

    private Path files(String name) {
        return folder.resolve("etc-" + name);
    }

    private Path log(String name) {
        return folder.resolve("log-" + name);
    }

    /** Writes the files that Kubernetes mounts into the container. */
    private void etc(String name) throws Exception {
        Path key = Files.createDirectories(files(name).resolve("jitney"));
        Files.writeString(key.resolve("sas-key"), ClusterOfPodsTest.KEY);
        if (hasNodeKeys) {
            nodeKeys(files(name).resolve("jitney-nodes"));
        }
        Files.writeString(files(name).resolve("hosts"), "127.0.0.1 localhost\n");
        Files.writeString(files(name).resolve("resolv.conf"), "nameserver " + MACHINE + "\n");
    }

    /** Makes the names of all pods that run resolve, those that are not ready too, and no others. */
    private void resolve() throws IOException {
        StringBuilder names = new StringBuilder("127.0.0.1 localhost\n");
        pods.forEach((name, pod) -> names.append(pod.address())
                .append(' ')
                .append(name)
                .append('.')
                .append(serviceName)
                .append('\n'));
        for (Map.Entry<String, Pod> each : pods.entrySet()) {
            // In place, because the file is mounted.
            Files.writeString(
                    files(each.getKey()).resolve("hosts"),
                    names + each.getValue().address() + " " + each.getKey() + "\n");
        }
    }

    private List<String> command(String name, Process network, List<String> command) throws IOException {
        List<String> whole = new ArrayList<>(List.of(
                script,
                pid(network),
                name,
                image.root().toString(),
                volume(name).toString(),
                files(name).toString(),
                ImageTar.USER + ":" + ImageTar.USER));
        whole.addAll(command);
        return asRoot(whole.toArray(String[]::new));
    }

    /** Returns the variables of the image, of the manifest, and those that a container runtime sets. */
    private Map<String, String> variables(String name) {
        Map<String, String> all = new HashMap<>(image.variables());
        Map<String, String> known = new LinkedHashMap<>();
        for (Object each : DeployFiles.list(container, "env")) {
            String value = DeployFiles.map(each).containsKey("valueFrom")
                    ? name // the only field in use, as another test checks
                    : DeployFiles.text(each, "value");
            for (Map.Entry<String, String> earlier : known.entrySet()) {
                value = value.replace("$(" + earlier.getKey() + ")", earlier.getValue());
            }
            known.put(DeployFiles.text(each, "name"), value);
        }
        all.putAll(known);
        all.put("HOSTNAME", name);
        // A container sees the limit of its memory, which these processes do not have.
        all.put(
                "JDK_JAVA_OPTIONS",
                "-XX:MaxRAM="
                        + DeployFiles.text(container, "resources", "limits", "memory")
                                .replace("Gi", "g"));
        // The tools that start it are not in the image, so their path comes first.
        all.put("PATH", PATH.get("PATH") + ":" + all.get("PATH"));
        return all;
    }

    /** Runs a command of the image in a pod, as {@code kubectl exec} does. */
    Result exec(String name, Map<String, String> variables, String... command) throws Exception {
        Pod pod = running(name);
        List<String> whole = new ArrayList<>(image.entrypoint());
        whole.addAll(List.of(command));
        Map<String, String> all = variables(name);
        all.putAll(variables);
        return Artifacts.run(folder, all, command(name, pod.network(), whole).toArray(String[]::new));
    }

    private Pod running(String name) {
        Pod pod = pods.get(name);
        assertThat(pod).as(name).isNotNull();
        return pod;
    }

    /** Sends a request from the machine to a pod. */
    String get(String name, String port, String path) throws IOException {
        Map<String, Object> get = DeployFiles.map(DeployFiles.at(container, "readinessProbe", "httpGet"));
        String scheme = port.equals("node") ? String.valueOf(get.getOrDefault("scheme", "HTTP")) : "HTTP";
        asked.println(scheme.toLowerCase(Locale.ROOT) + "://" + running(name).address() + ":"
                + DeployFiles.ports(container).get(port) + path);
        String answer = answers.readLine();
        assertThat(answer).as("the answer of the process that sends probes").isNotNull();
        return answer;
    }

    /** Waits until the probe of a pod succeeds. */
    void awaitReady(String name) throws Exception {
        Map<String, Object> get = DeployFiles.map(DeployFiles.at(container, "readinessProbe", "httpGet"));
        await(name, DeployFiles.text(get, "path"), "");
    }

    /** Waits until a page of the node port of a pod answers with 200 and contains a text. */
    void await(String name, String path, String expected) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        String answer = get(name, "node", path);
        while (!answer.startsWith("200 ") || !answer.contains(expected)) {
            if (System.nanoTime() > deadline || running(name).main().waitFor(100, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Expected " + path + " of " + name + " to answer with 200 and " + expected
                        + ", but got " + answer + "\n" + logs());
            }
            answer = get(name, "node", path);
        }
    }

    /** Deletes a pod: SIGTERM, the end of its process, and then its network. Returns the exit status. */
    int stop(String name) throws Exception {
        Pod pod = running(name);
        ProcessHandle main =
                pod.main().descendants().reduce((one, next) -> next).orElseThrow();
        ok(asRoot("kill", "-TERM", Long.toString(main.pid())));
        assertThat(pod.main().waitFor(60, TimeUnit.SECONDS))
                .as("terminationGracePeriodSeconds")
                .isTrue();
        end(pod.network());
        pods.remove(name);
        resolve();
        return pod.main().exitValue();
    }

    /** Deletes the content of the volume of a pod that does not run. */
    void wipe(String name) throws Exception {
        assertThat(pods).doesNotContainKey(name);
        ok(asRoot("rm", "-rf", volume(name).toString()));
    }

    /** Returns the ends of all logs. */
    String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(
                            each -> String.valueOf(each.getFileName()).startsWith("log-"))
                    .sorted()
                    .toList()) {
                List<String> lines = Files.readAllLines(file);
                all.append(file.getFileName())
                        .append(":\n")
                        .append(String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size())))
                        .append('\n');
            }
        }
        return all.toString();
    }

    /** Returns a command with sudo in front, unless this process is root. */
    static List<String> asRoot(String... command) {
        List<String> whole = new ArrayList<>(
                "root".equals(System.getProperty("user.name")) ? List.of() : List.of("sudo", "-n", "-E"));
        whole.addAll(List.of(command));
        return whole;
    }

    private String ok(List<String> command) throws Exception {
        Result result = Artifacts.run(folder, PATH, command.toArray(String[]::new));
        assertThat(result.status()).as("%s%n%s", command, result).isZero();
        return result.out();
    }

    private void end(@Nullable Process process) throws Exception {
        if (process != null && process.isAlive()) {
            for (ProcessHandle each : Stream.concat(Stream.of(process.toHandle()), process.descendants())
                    .toList()) {
                Artifacts.run(
                        folder,
                        PATH,
                        asRoot("kill", "-KILL", Long.toString(each.pid())).toArray(String[]::new));
            }
            process.waitFor();
        }
    }

    @Override
    public void close() throws Exception {
        for (Pod pod : pods.values()) {
            end(pod.main());
            end(pod.network());
        }
        end(kubelet);
        end(machine);
        try (Stream<Path> files = Files.list(folder)) {
            // The files in them belong to other users.
            for (Path volume : files.filter(
                            each -> String.valueOf(each.getFileName()).matches("(volume|etc)-.*"))
                    .toList()) {
                ok(asRoot("rm", "-rf", volume.toString()));
            }
        }
    }
}
