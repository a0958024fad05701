package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.distribution.Artifacts.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** An image unpacked into a folder like in a container runtime, and programs that run in it. */
final class UnpackedImage {
    private static final Map<String, String> TOOLS = Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A script that prepares a start like a runtime: mounts, a read-only root, another user. */
    private static final String START = """
            set -e
            root=$1 volume=$2 user=$3
            shift 3
            mount --bind "$root" "$root"
            mount --rbind /proc "$root/proc"
            mount --rbind /dev "$root/dev"
            mount --bind "$volume" "$root/data"
            mount -o remount,bind,ro "$root"
            exec chroot ${user:+--userspec="$user"} "$root" "$@"
            """;

    private final Path image;
    private final Path root;
    private final JsonNode config;
    private final JsonNode manifest;

    private UnpackedImage(Path image, Path root) throws IOException {
        this.image = image;
        this.root = root;
        JsonNode index = JSON.readTree(image.resolve("index.json").toFile());
        this.manifest = JSON.readTree(blob(index.path("manifests").path(0)).toFile());
        this.config = JSON.readTree(blob(manifest.path("config")).toFile());
    }

    static UnpackedImage of(String architecture, Path folder) throws Exception {
        Path image = Files.createDirectories(folder.resolve("image"));
        Path root = Files.createDirectories(folder.resolve("root"));
        Path file = Artifacts.folder().resolve("jitney-" + Artifacts.version() + "-image-" + architecture + ".tar");
        ok("tar", "-x", "-f", file.toString(), "-C", image.toString());
        UnpackedImage unpacked = new UnpackedImage(image, root);
        for (JsonNode layer : unpacked.manifest.path("layers")) {
            ok(
                    "tar",
                    "-x",
                    "-z",
                    "-p",
                    "--warning=no-unknown-keyword",
                    "-f",
                    unpacked.blob(layer).toString(),
                    "-C",
                    root.toString());
        }
        return unpacked;
    }

    private static void ok(String... command) throws Exception {
        Result result = Artifacts.run(Path.of("/"), TOOLS, command);
        assertThat(result.status()).as(result.toString()).isZero();
    }

    Path root() {
        return root;
    }

    JsonNode config() {
        return config;
    }

    JsonNode json(String name) throws IOException {
        return JSON.readTree(image.resolve(name).toFile());
    }

    /** Follows every digest from the table of contents, and fails if the bytes differ. */
    void checkDigests() throws IOException {
        JsonNode described = json("index.json").path("manifests").path(0);
        List<JsonNode> all = new ArrayList<>(List.of(described, manifest.path("config")));
        manifest.path("layers").forEach(all::add);
        for (JsonNode each : all) {
            Path file = blob(each);
            assertThat("sha256:" + Checksums.sha256(file))
                    .isEqualTo(each.path("digest").asText());
            assertThat(Files.size(file)).isEqualTo(each.path("size").asLong());
        }
        for (int i = 0; i < manifest.path("layers").size(); i++) {
            try (InputStream in = new GZIPInputStream(
                    Files.newInputStream(blob(manifest.path("layers").path(i))))) {
                assertThat("sha256:" + Checksums.sha256(in.readAllBytes()))
                        .isEqualTo(
                                config.path("rootfs").path("diff_ids").path(i).asText());
            }
        }
        JsonNode docker = json("manifest.json").path(0);
        assertThat(docker.path("Config").asText())
                .isEqualTo(manifest.path("config").path("digest").asText().replace("sha256:", "blobs/sha256/"));
        assertThat(docker.path("Layers")).hasSameSizeAs(manifest.path("layers"));
    }

    private Path blob(JsonNode reference) {
        return image.resolve("blobs/sha256")
                .resolve(reference.path("digest").asText().replaceFirst("^sha256:", ""));
    }

    /** Creates the folders for the mounts, with a volume that the user may write to. */
    Path volume(Path folder) throws Exception {
        Files.createDirectories(root.resolve("proc"));
        Files.createDirectories(root.resolve("dev"));
        Files.createDirectories(folder);
        if (isRoot()) {
            ok("chown", "10001:0", folder.toString());
        }
        return folder;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Returns the variables of the image. */
    Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>();
        for (JsonNode variable : config.path("config").path("Env")) {
            String[] parts = variable.asText().split("=", 2);
            variables.put(parts[0], parts[1]);
        }
        return variables;
    }

    /** Returns a program in a container of the image, with the image's user and variables, and the given ones. */
    ProcessBuilder program(Path volume, Map<String, String> variables, List<String> command) {
        Map<String, String> environment = variables();
        environment.putAll(variables);
        // The tools that start it are not in the image, so their path comes first.
        environment.put("PATH", TOOLS.get("PATH") + ":" + environment.get("PATH"));
        List<String> whole = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private"));
        if (!isRoot()) {
            whole.add("--map-root-user");
        }
        whole.addAll(List.of("sh", "-c", START, "start", root.toString(), volume.toString()));
        whole.add(isRoot() ? config.path("config").path("User").asText() : "");
        whole.addAll(command);
        return Artifacts.builder(Path.of("/"), environment, whole);
    }

    /** Runs a program in a container of the image and waits for its end. */
    Result run(Path volume, Map<String, String> variables, List<String> command) throws Exception {
        ProcessBuilder builder = program(volume, variables, command);
        return Artifacts.run(
                Path.of("/"), builder.environment(), builder.command().toArray(String[]::new));
    }

    /** Returns the complete command that starts the server. */
    List<String> start() {
        List<String> command = new ArrayList<>(entrypoint());
        config.path("config").path("Cmd").forEach(each -> command.add(each.asText()));
        return command;
    }

    List<String> entrypoint() {
        List<String> command = new ArrayList<>();
        config.path("config").path("Entrypoint").forEach(each -> command.add(each.asText()));
        return command;
    }

    /** Returns the command of the health check. */
    List<String> healthCheck() {
        List<String> command = new ArrayList<>();
        config.path("config").path("Healthcheck").path("Test").forEach(each -> command.add(each.asText()));
        assertThat(command.remove(0)).isEqualTo("CMD");
        return command;
    }
}
