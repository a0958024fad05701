package dev.jitney.distribution;

import dev.jitney.distribution.audit.Libraries;
import dev.jitney.distribution.audit.Licenses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of the archives, below {@code jitney-VERSION/}. */
final class Contents {
    private static final String SERVER = "dev.jitney.server.cli.JitneyCli";
    private static final String CLI = "dev.jitney.cli.JitneyCommands";

    /** The licenses of libraries whose jars lack the text. Jitney's own license file is that of Apache. */
    private static final List<String> LICENSES =
            List.of("BSD-3-Clause.txt", "EPL-2.0.txt", "MIT-0.txt", "MIT.txt", ThirdParty.ROCKSDB_NATIVE);

    private final Path root;
    private final Path work;
    private final String version;
    private final Instant time;
    private final Path sbom;
    private final List<Path> serverJars;
    private final List<Path> cliJars;
    private final FileTree common = new FileTree();

    /**
     * Collects the files that all archives share.
     *
     * @param root the source tree, in which Maven has built the jars
     * @param work a folder for jars created here
     * @param sbom the file from the CycloneDX plugin
     */
    Contents(Path root, Path work, String version, Instant time, Path sbom) throws IOException {
        this.root = root;
        this.work = work;
        this.version = version;
        this.time = time;
        this.sbom = sbom;
        this.serverJars = Jars.ofModule(root.resolve("server"), "jitney-server", version);
        this.cliJars = Jars.ofModule(root.resolve("cli"), "jitney-cli", version);
        requireChecksums(root.resolve(Libraries.CHECKSUMS), serverJars);
        requireChecksums(root.resolve(Libraries.CHECKSUMS), cliJars);
        collectCommon();
    }

    /** Refuses libraries that are not those that were checked in, because users would get them. */
    private static void requireChecksums(Path list, List<Path> jars) throws IOException {
        Map<String, String> expected = Libraries.checksums(list);
        for (Map.Entry<String, String> jar : Libraries.actual(jars).entrySet()) {
            if (!jar.getValue().equals(expected.get(jar.getKey()))) {
                throw new ReleaseException("Expected the library " + jar.getKey() + " with the checksum in " + list
                        + ", but got " + jar.getValue()
                        + ". If the dependency was changed on purpose, renew the file as its head says.");
            }
        }
    }

    private void collectCommon() throws IOException {
        Map<String, String> values = Map.of("VERSION", version);
        common.program("bin/jitney", Templates.text("jitney.sh", values));
        common.bytes(
                "bin/jitney.bat",
                Templates.windowsText("jitney.bat", values).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        common.folder("cache");
        common.file("conf/config.json", root.resolve("samples/config.json"));
        common.text("completion/jitney.bash", CommandModel.bashCompletion());
        new ManPages(version, time)
                .pages(CommandModel.all())
                .forEach((name, page) -> common.text("man/man1/" + name, page));
        common.file("LICENSE", root.resolve("LICENSE"));
        common.file("NOTICE", root.resolve("NOTICE"));
        common.file("CHANGELOG.md", root.resolve("CHANGELOG.md"));
        common.text("README.txt", Templates.text("README.txt", values));
        common.file("sbom.json", sbom);
        List<Path> jars = List.copyOf(jars(Platform.PORTABLE).values());
        common.text("licenses/THIRD-PARTY.txt", ThirdParty.list(Licenses.permitted(root), jars));
        for (String license : LICENSES) {
            common.text("licenses/" + license, Templates.text("licenses/" + license, Map.of()));
        }
        ThirdParty.texts(jars, "licenses", common);
    }

    /** Returns the files of an archive without Java. */
    FileTree of(Platform platform) throws IOException {
        FileTree tree = new FileTree();
        tree.all(common, path -> path);
        tree.folder("cache");
        for (Map.Entry<String, Path> jar : jars(platform).entrySet()) {
            tree.file(
                    "lib/" + jar.getKey(),
                    Jars.isRocksDb(jar.getValue()) ? rocksDb(jar.getValue(), platform) : jar.getValue());
        }
        tree.bytes("lib/server.jar", Jars.program(SERVER, names(serverJars, platform), time));
        tree.bytes("lib/cli.jar", Jars.program(CLI, names(cliJars, platform), time));
        return tree;
    }

    /** Returns all jars by name, each once. */
    private Map<String, Path> jars(Platform platform) throws IOException {
        Map<String, Path> jars = new LinkedHashMap<>();
        List<Path> all = new ArrayList<>(serverJars);
        all.addAll(cliJars);
        Map<String, String> sums = new HashMap<>();
        for (Path jar : all) {
            String name = Jars.name(jar);
            if (platform.takes(name)) {
                Path before = jars.putIfAbsent(name, jar);
                if (before != null && !before.equals(jar) && !sum(before, sums).equals(sum(jar, sums))) {
                    throw new ReleaseException(
                            "Expected different names of jars, but two different ones are called " + name + ".");
                }
            }
        }
        return jars;
    }

    private static String sum(Path jar, Map<String, String> sums) throws IOException {
        String known = sums.get(jar.toString());
        if (known == null) {
            known = Checksums.sha256(jar);
            sums.put(jar.toString(), known);
        }
        return known;
    }

    private static List<String> names(List<Path> jars, Platform platform) {
        return jars.stream().map(Jars::name).filter(platform::takes).toList();
    }

    private Path rocksDb(Path jar, Platform platform) throws IOException {
        Path folder = Files.createDirectories(work.resolve("rocksdb-" + platform.name()));
        Path reduced = folder.resolve(Jars.name(jar));
        if (!Files.exists(reduced)) {
            Jars.reduceRocksDb(jar, platform.rocksDbNatives(), reduced);
        }
        return reduced;
    }
}
