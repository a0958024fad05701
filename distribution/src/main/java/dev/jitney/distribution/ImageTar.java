package dev.jitney.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FileEntry;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import dev.jitney.distribution.FileTree.Item;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Writer of a container image as a tar file, without a daemon and without a registry. Jib creates the layers and their
 * description. This class adds two things that Jib does not support: the health check, and a second table of contents, because
 * the tools that load such files need one of two.
 *
 * <p>The image is called {@code localhost/jitney}, a name for which no tool contacts a registry.
 */
final class ImageTar {
    /** The user id, and group id, of all processes in a container. */
    static final int USER = 10001;

    private static final String NAME = "localhost/jitney";
    private static final List<String> HEALTH_CHECK = List.of("CMD", "/" + ImageContents.COMMAND, "health", "--ready");
    private static final int HEALTH_INTERVAL_SECONDS = 15;
    private static final int HEALTH_TIMEOUT_SECONDS = 10;
    private static final int HEALTH_START_SECONDS = 120;
    private static final int HEALTH_RETRIES = 3;
    private static final int AMQP = 5672;
    private static final int HTTP = 5300;
    private static final String BLOBS = "blobs/sha256/";
    private static final String ALGORITHM = "sha256:";

    private final ImageArchitecture architecture;
    private final String version;
    private final Instant time;
    private final Path work;
    private final ObjectMapper json = new ObjectMapper();

    /** Creates a writer. All files have the time {@code time}, and {@code work} is a folder for temporary files. */
    ImageTar(ImageArchitecture architecture, String version, Instant time, Path work) {
        this.architecture = architecture;
        this.version = version;
        this.time = time;
        this.work = work;
    }

    String fileName() {
        return "jitney-" + version + "-image-" + architecture.label() + ".tar";
    }

    void write(ImageContents contents, Path target) throws IOException, InterruptedException {
        Path made = work.resolve("jib.tar");
        make(contents, made);
        Path unpacked = Files.createDirectories(work.resolve("jib"));
        Programs.run(work, List.of("tar", "-x", "-f", made.toString(), "-C", unpacked.toString()));
        complete(unpacked, target);
    }

    private void make(ImageContents contents, Path target) throws IOException, InterruptedException {
        try {
            Jib.fromScratch()
                    .setPlatforms(Set.of(new Platform(architecture.label(), "linux")))
                    .setFormat(ImageFormat.OCI)
                    .setCreationTime(time)
                    .setFileEntriesLayers(layers(contents))
                    .setUser(USER + ":" + USER)
                    .setWorkingDirectory(AbsoluteUnixPath.get("/data"))
                    .setVolumes(AbsoluteUnixPath.get("/data"))
                    .setExposedPorts(Port.tcp(AMQP), Port.tcp(HTTP))
                    .setEnvironment(new TreeMap<>(Map.of(
                            "PATH", "/usr/bin",
                            "LANG", "C.UTF-8",
                            "JITNEY_HOST", "0.0.0.0",
                            "JITNEY_DATA_DIR", "/data/jitney")))
                    .setEntrypoint("/" + ImageContents.COMMAND)
                    .setProgramArguments("server")
                    .setLabels(new TreeMap<>(Map.of(
                            "org.opencontainers.image.title",
                            "Jitney",
                            "org.opencontainers.image.description",
                            "A durable message broker with the semantics and the wire protocol of Azure"
                                    + " Service Bus",
                            "org.opencontainers.image.version",
                            version,
                            "org.opencontainers.image.created",
                            time.toString(),
                            "org.opencontainers.image.licenses",
                            "Apache-2.0",
                            "org.opencontainers.image.vendor",
                            "The Jitney authors")))
                    .containerize(Containerizer.to(TarImage.at(target).named(NAME + ":" + version))
                            .setOfflineMode(true)
                            .setToolName("jitney")
                            .setBaseImageLayersCache(work.resolve("jib-base"))
                            .setApplicationLayersCache(work.resolve("jib-layers")));
        } catch (ExecutionException | InvalidImageReferenceException e) {
            throw new IOException("The image could not be written", e);
        } catch (com.google.cloud.tools.jib.api.RegistryException
                | com.google.cloud.tools.jib.api.CacheDirectoryCreationException e) {
            throw new IOException("The image could not be written", e);
        }
    }

    private List<FileEntriesLayer> layers(ImageContents contents) throws IOException {
        List<FileEntriesLayer> layers = new ArrayList<>();
        Path empty = Files.createDirectories(work.resolve("empty"));
        Path parts = Files.createDirectories(work.resolve("parts"));
        for (Map.Entry<String, FileTree> layer : contents.layers().entrySet()) {
            FileEntriesLayer.Builder entries = FileEntriesLayer.builder().setName(layer.getKey());
            for (String folder : layer.getValue().folders()) {
                entries.addEntry(entry(empty, folder, permissions(folder), owner(folder)));
            }
            for (Map.Entry<String, Item> file : layer.getValue().files().entrySet()) {
                Path source = file.getValue().file();
                if (source == null) {
                    source = parts.resolve(file.getKey().replace('/', '!'));
                    try (InputStream in = file.getValue().open()) {
                        Files.copy(in, source);
                    }
                }
                entries.addEntry(entry(source, file.getKey(), file.getValue().executable() ? "755" : "644", "0:0"));
            }
            layers.add(entries.build());
        }
        return layers;
    }

    private FileEntry entry(Path source, String path, String permissions, String owner) {
        return new FileEntry(
                source, AbsoluteUnixPath.get("/" + path), FilePermissions.fromOctalString(permissions), time, owner);
    }

    /** Returns the permissions. Group 0 may access data too, because some clusters choose the user but not the group. */
    private static String permissions(String folder) {
        return folder.equals("tmp") ? "777" : folder.equals("data") ? "770" : "755";
    }

    private static String owner(String folder) {
        return folder.equals("data") ? USER + ":0" : "0:0";
    }

    /** Adds the health check and the table of contents, and writes all files sorted by name. */
    private void complete(Path image, Path target) throws IOException {
        JsonNode index = json.readTree(image.resolve("index.json").toFile());
        ObjectNode manifest = (ObjectNode)
                json.readTree(blob(image, index.path("manifests").path(0)).toFile());
        ObjectNode config =
                (ObjectNode) json.readTree(blob(image, manifest.path("config")).toFile());

        // The OCI specification has no health check, but every Docker reads it.
        ObjectNode check = config.withObject("/config").putObject("Healthcheck");
        HEALTH_CHECK.forEach(check.putArray("Test")::add);
        check.put("Interval", TimeUnit.SECONDS.toNanos(HEALTH_INTERVAL_SECONDS));
        check.put("Timeout", TimeUnit.SECONDS.toNanos(HEALTH_TIMEOUT_SECONDS));
        check.put("StartPeriod", TimeUnit.SECONDS.toNanos(HEALTH_START_SECONDS));
        check.put("Retries", HEALTH_RETRIES);

        FileTree tree = new FileTree();
        ArrayNode layers = json.createArrayNode();
        for (JsonNode layer : manifest.path("layers")) {
            Path file = blob(image, layer);
            layers.add(BLOBS + file.getFileName());
            if (!tree.has(BLOBS + file.getFileName())) {
                tree.file(BLOBS + file.getFileName(), file);
            }
        }
        String configDigest = add(tree, config, manifest.withObject("/config"));
        ObjectNode described = json.createObjectNode();
        described.put("mediaType", "application/vnd.oci.image.manifest.v1+json");
        add(tree, manifest, described);
        described
                .putObject("platform")
                .put("architecture", architecture.label())
                .put("os", "linux");
        described
                .putObject("annotations")
                .put("io.containerd.image.name", NAME + ":" + version)
                .put("org.opencontainers.image.ref.name", version);

        ObjectNode contents = json.createObjectNode().put("schemaVersion", 2);
        contents.put("mediaType", "application/vnd.oci.image.index.v1+json");
        contents.putArray("manifests").add(described);
        tree.bytes("index.json", json.writeValueAsBytes(contents));
        tree.bytes("oci-layout", json.writeValueAsBytes(Map.of("imageLayoutVersion", "1.0.0")));
        ObjectNode docker = json.createObjectNode().put("Config", BLOBS + configDigest);
        docker.putArray("RepoTags").add(NAME + ":" + version);
        docker.set("Layers", layers);
        tree.bytes("manifest.json", json.writeValueAsBytes(List.of(docker)));
        SortedMap<String, Item> files = tree.files();
        if (files.size() != layers.size() + 5) {
            throw new ReleaseException("Expected different layers in the image, but two are equal.");
        }
        Archives.tar(tree, target, time);
    }

    /** Adds a text under its digest, writes digest and size into the reference, and returns the digest. */
    private String add(FileTree tree, ObjectNode text, ObjectNode reference) throws IOException {
        byte[] bytes = json.writeValueAsBytes(text);
        String digest = Checksums.sha256(bytes);
        tree.bytes(BLOBS + digest, bytes);
        reference.put("digest", ALGORITHM + digest).put("size", bytes.length);
        return digest;
    }

    private static Path blob(Path image, JsonNode reference) throws ReleaseException {
        String digest = reference.path("digest").asText();
        Path file = image.resolve(BLOBS + digest.substring(ALGORITHM.length()));
        if (!digest.startsWith(ALGORITHM) || !Files.isRegularFile(file)) {
            throw new ReleaseException("Expected the blob " + digest + " in the image, but Jib did not write it.");
        }
        return file;
    }
}
