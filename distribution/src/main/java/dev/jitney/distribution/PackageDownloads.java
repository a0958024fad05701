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
 * Packages of this machine's Debian for another processor, or for its own: downloaded by apt-get, which checks their
 * signatures, and unpacked into a folder each. Nothing is installed, and apt's own lists stay as they are. Not for several
 * threads.
 */
final class PackageDownloads {
    private final Path folder;
    private final List<String> options;
    private final SortedMap<String, Path> unpacked = new TreeMap<>();
    private final SortedMap<String, String> versions = new TreeMap<>();

    /**
     * Gets the lists of packages from where this machine's apt gets its own.
     *
     * @param folder for everything that is downloaded
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
                // apt would change to a user who cannot write here.
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
            throw new ReleaseException(
                    "The images take Java and its libraries from Debian's packages, but " + e.getMessage()
                            + " Make the images on Debian, with the Java that it has, or leave them out with --no-images.");
        }
    }

    /** Downloads a package, unless that was done, and returns the folder with its files. */
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
                    .orElseThrow(() -> new ReleaseException("apt-get did not leave a package " + name + "."));
        }
        versions.put(name, Programs.run(folder, List.of("dpkg-deb", "--field", file.toString(), "Version")));
        Path target = folder.resolve("unpacked").resolve(name);
        Files.createDirectories(target);
        Programs.run(folder, List.of("dpkg-deb", "--extract", file.toString(), target.toString()));
        Files.delete(file);
        unpacked.put(name, target);
        return target;
    }

    /** The license of a package; some have theirs in another package of the same source. */
    Path license(String name) throws IOException, InterruptedException {
        Path doc = get(name).resolve("usr/share/doc").resolve(name);
        if (Files.isSymbolicLink(doc)) {
            String other = Files.readSymbolicLink(doc).toString();
            doc = get(other).resolve("usr/share/doc").resolve(other);
        }
        Path license = doc.resolve("copyright");
        if (!Files.isRegularFile(license)) {
            throw new ReleaseException("The package " + name + " has no file with its license.");
        }
        return license;
    }

    /** Name and version of every package that was downloaded, one a line. */
    String list() {
        StringBuilder lines = new StringBuilder();
        versions.forEach((name, version) ->
                lines.append(name).append(' ').append(version).append('\n'));
        return lines.toString();
    }
}
