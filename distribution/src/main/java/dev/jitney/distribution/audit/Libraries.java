package dev.jitney.distribution.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The libraries of the source tree: the jars in {@value #CHECKSUMS}, one on each line with its SHA-256, and the packages of npm in the lock
 * files.
 */
public final class Libraries {
    /** The file in the root of the source tree. */
    public static final String CHECKSUMS = "dependencies.sha256";

    static final List<String> LOCKS = List.of("console/package-lock.json");
    static final String OWN = "dev.jitney";
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})  ([^:\\s]+):([^:\\s]+):([^:\\s]+)(:[^:\\s]+)?");
    static final String MODULES = "node_modules/";

    private Libraries() {}

    /** Returns the libraries of Maven and npm, each once. */
    static List<Library> of(Path root) throws IOException {
        SortedSet<Library> all = new TreeSet<>(Comparator.comparing(Library::ecosystem)
                .thenComparing(Library::name)
                .thenComparing(Library::version));
        for (String artifact : checksums(root.resolve(CHECKSUMS)).keySet()) {
            String[] parts = artifact.split(":", -1);
            all.add(new Library(Library.MAVEN, parts[0] + ":" + parts[1], parts[2]));
        }
        for (String lock : LOCKS) {
            JsonNode packages =
                    new ObjectMapper().readTree(root.resolve(lock).toFile()).path("packages");
            packages.fields().forEachRemaining(entry -> {
                int name = entry.getKey().lastIndexOf(MODULES);
                if (name >= 0 && entry.getValue().has("version")) {
                    all.add(new Library(
                            Library.NPM,
                            entry.getKey().substring(name + MODULES.length()),
                            entry.getValue().path("version").asText()));
                }
            });
        }
        return List.copyOf(all);
    }

    /**
     * Reads a file of checksums.
     *
     * @return SHA-256 by {@code group:artifact:version}, with the classifier behind it if there is one
     * @throws IOException if the file cannot be read or a line has another form
     */
    public static Map<String, String> checksums(Path file) throws IOException {
        Map<String, String> sums = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IOException(
                        file + ": Expected lines such as SHA256  group:artifact:version, but got '" + line + "'.");
            }
            sums.put(line.substring(matcher.start(2)), matcher.group(1));
        }
        return sums;
    }

    /**
     * Returns the checksums of jars of a local Maven repository in the order of their names. Jars elsewhere, such as those of a build, and Jitney's
     * own are left out.
     *
     * @param jars any paths, such as those of a class path
     */
    public static Map<String, String> actual(List<Path> jars) throws IOException {
        Map<String, String> sums = new TreeMap<>();
        for (Path jar : jars) {
            String artifact = artifact(jar);
            if (artifact != null && !artifact.startsWith(OWN + ":")) {
                sums.put(artifact, sha256(jar));
            }
        }
        return sums;
    }

    /** Returns the coordinates by the place in the repository: {@code …/group/artifact/version/artifact-version[-classifier].jar}. */
    static @Nullable String artifact(Path jar) throws IOException {
        Path version = jar.getParent();
        Path artifact = version == null ? null : version.getParent();
        if (artifact == null || version == null || !jar.toString().endsWith(".jar")) {
            return null;
        }
        String stem = artifact.getFileName() + "-" + version.getFileName();
        String name = String.valueOf(jar.getFileName());
        String group = name.startsWith(stem) ? group(artifact, version.resolve(stem + ".pom")) : null;
        if (group == null) {
            return null;
        }
        String classifier = name.substring(stem.length(), name.length() - ".jar".length());
        return group + ":" + artifact.getFileName() + ":" + version.getFileName()
                + (classifier.startsWith("-") ? ":" + classifier.substring(1) : "");
    }

    /**
     * Returns the group of an artifact by its folders. If no folder is called {@code repository}, the group is the longest one that the pom
     * names, its own or that of its parent.
     */
    private static @Nullable String group(Path artifact, Path pom) throws IOException {
        Path parent = artifact.getParent();
        String folders = parent == null ? "" : parent.toString().replace('\\', '/');
        int start = folders.lastIndexOf("/repository/");
        if (start >= 0) {
            return folders.substring(start + "/repository/".length()).replace('/', '.');
        }
        if (!Files.isRegularFile(pom)) {
            return null;
        }
        String text = Files.readString(pom, StandardCharsets.ISO_8859_1);
        for (int at = folders.indexOf('/'); at >= 0; at = folders.indexOf('/', at + 1)) {
            String group = folders.substring(at + 1).replace('/', '.');
            if (text.contains("<groupId>" + group + "</groupId>")) {
                return group;
            }
        }
        return null;
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is a part of every Java", e);
        }
    }
}
