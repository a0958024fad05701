package dev.jitney.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Debian packages for this machine's release and any processor. apt-get downloads them and checks their signatures; each is
 * unpacked into its own folder. Nothing is installed, and apt's own lists do not change. Not thread-safe.
 */
final class PackageDownloads {
    private final Path folder;
    private final List<String> options;
    private final SortedMap<String, Path> unpacked = new TreeMap<>();
    private final SortedMap<String, String> versions = new TreeMap<>();

    /**
     * Downloads the package lists from the sources of this machine's apt.
     *
     * @param folder for all downloads
     * @param architecture Debian's name of a processor
     */
    PackageDownloads(Path folder, String architecture) throws IOException, InterruptedException {
        this.folder = folder;
        Path apt = folder.resolve("apt");
        for (String needed : List.of("state/lists/partial", "cache/archives/partial")) {
            Files.createDirectories(apt.resolve(needed));
        }
        Path installed = apt.resolve("status");
        Files.writeString(installed, "");
        options = List.of(
                "apt-get",
                "-qq",
                "-o",
                "Dir::State=" + apt.resolve("state"),
                "-o",
                "Dir::State::status=" + installed,
                "-o",
                "Dir::Cache=" + apt.resolve("cache"),
                "-o",
                "APT::Architecture=" + architecture,
                "-o",
                "APT::Architectures::=" + architecture,
                // apt would switch to a user who cannot write here.
                "-o",
                "APT::Sandbox::User=" + System.getProperty("user.name"));
        apt(List.of("update"));
    }

    private void apt(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(options);
        command.addAll(arguments);
        try {
            Programs.run(folder, command);
        } catch (ReleaseException e) {
            throw new ReleaseException("Expected apt-get to download Java and its libraries for the images, but "
                    + e.getMessage() + " Build the images on Debian with Debian's Java, or use --no-images.");
        }
    }

    /** Downloads a package on first use, and returns the folder with its files. */
    Path get(String name) throws IOException, InterruptedException {
        Path known = unpacked.get(name);
        if (known != null) {
            return known;
        }
        apt(List.of("download", name));
        Path file;
        try (Stream<Path> files = Files.list(folder)) {
            file = files.filter(each -> String.valueOf(each.getFileName()).startsWith(name + "_"))
                    .findFirst()
                    .orElseThrow(() -> new ReleaseException(
                            "Expected apt-get to download the package " + name + ", but there is no file."));
        }
        versions.put(name, Programs.run(folder, List.of("dpkg-deb", "--field", file.toString(), "Version")));
        Path target = folder.resolve("unpacked").resolve(name);
        Files.createDirectories(target);
        Programs.run(folder, List.of("dpkg-deb", "--extract", file.toString(), target.toString()));
        Files.delete(file);
        unpacked.put(name, target);
        return target;
    }

    /** Returns the license file of a package. Some packages have it in another package of the same source. */
    Path license(String name) throws IOException, InterruptedException {
        Path doc = get(name).resolve("usr/share/doc").resolve(name);
        if (Files.isSymbolicLink(doc)) {
            String other = Files.readSymbolicLink(doc).toString();
            doc = get(other).resolve("usr/share/doc").resolve(other);
        }
        Path license = doc.resolve("copyright");
        if (!Files.isRegularFile(license)) {
            throw new ReleaseException("Expected a license file in the package " + name + ", but it is missing.");
        }
        return license;
    }

    /** Returns name and version of every downloaded package, one per line. */
    String list() {
        StringBuilder lines = new StringBuilder();
        versions.forEach((name, version) ->
                lines.append(name).append(' ').append(version).append('\n'));
        return lines.toString();
    }
}
