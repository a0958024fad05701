package dev.jitney.distribution;

import dev.jitney.distribution.FileTree.Item;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.vafer.jdeb.Console;
import org.vafer.jdeb.DataConsumer;
import org.vafer.jdeb.DebMaker;
import org.vafer.jdeb.PackagingException;
import org.vafer.jdeb.shaded.commons.compress.archivers.tar.TarArchiveEntry;
import org.vafer.jdeb.shaded.commons.compress.archivers.tar.TarConstants;
import org.vafer.jdeb.utils.MapVariableResolver;

/** The package for Debian and Ubuntu on amd64: the archive with a Java runtime, in the folders of the file system standard. */
final class DebianPackage {
    private static final String HOME = "usr/lib/jitney/";
    private static final String DOCS = "usr/share/doc/jitney/";
    private static final String RESOURCES = "debian/";
    private static final Pattern GLIBC = Pattern.compile("GLIBC_2\\.(\\d{1,3})\0");
    private static final int MODE_FILE = 0644;
    private static final int MODE_PROGRAM = 0755;
    private static final int MODE_SETTINGS = 0640;
    private static final int MODE_LINK = 0777;

    private final String version;
    private final Instant time;

    DebianPackage(String version, Instant time) {
        this.version = version;
        this.time = time;
    }

    String fileName() {
        return "jitney_" + version + "_amd64.deb";
    }

    /**
     * Writes the package.
     *
     * @param archive the files of the archive for linux-x64 with a Java runtime
     * @param work a folder for the control files
     */
    void write(FileTree archive, Path work, Path target) throws IOException {
        FileTree tree = new FileTree();
        tree.all(archive, DebianPackage::place);
        tree.text("etc/jitney/jitney.env", resource("jitney.env", Map.of()));
        tree.text("usr/lib/systemd/system/jitney.service", resource("jitney.service", Map.of()));
        DebMaker maker = new DebMaker(new Quiet(), List.of(data -> produce(tree, data)), List.of());
        maker.setDeb(target.toFile());
        maker.setControl(control(archive, work).toFile());
        maker.setOutputTimestampMs(time.toEpochMilli());
        // Most of the files are compressed jars: xz saves a tenth of the size, but took more time than all other files.
        maker.setCompression("gzip");
        maker.setTarLongFileMode("gnu"); // Debian reads no PAX headers
        maker.setResolver(new MapVariableResolver(Map.of()));
        maker.setDepends("");
        try {
            maker.validate();
            maker.makeDeb();
        } catch (PackagingException e) {
            throw new IOException("The Debian package could not be written", e);
        }
    }

    /** Returns the path of an archive's file in the package, or null for a file that the package does not need. */
    private static @Nullable String place(String path) {
        if (path.startsWith("bin/jitney.bat") || path.equals("README.txt")) {
            return null;
        } else if (path.startsWith("man/")) {
            return "usr/share/" + path;
        } else if (path.startsWith("completion/")) {
            return "usr/share/bash-completion/completions/jitney";
        } else if (path.startsWith("conf/")) {
            return path.replaceFirst("^conf/", "etc/jitney/");
        } else if (path.startsWith("bin/") || path.startsWith("lib/") || path.startsWith("runtime/")) {
            return HOME + path;
        } else if (path.equals("LICENSE")) {
            return DOCS + "copyright";
        }
        return DOCS + path;
    }

    private Path control(FileTree archive, Path work) throws IOException {
        Path folder = Files.createDirectories(work.resolve("debian"));
        Map<String, String> values = Map.of("VERSION", version, "DEPENDS", depends(archive));
        for (String name : List.of("control", "conffiles", "postinst", "prerm", "postrm")) {
            Files.writeString(folder.resolve(name), resource(name, values));
        }
        return folder;
    }

    private static String resource(String name, Map<String, String> values) throws IOException {
        return Templates.text(RESOURCES + name, values);
    }

    /** Returns the packages with the libraries that the Java runtime needs: the version of the C library, and others. */
    private static String depends(FileTree archive) throws IOException {
        int glibc = 17; // RocksDB's
        boolean zlib = false;
        boolean cpp = false;
        for (Map.Entry<String, Item> each : archive.files().entrySet()) {
            if (each.getKey().startsWith("runtime/")
                    && (each.getValue().executable() || each.getKey().endsWith(".so"))) {
                String bytes;
                try (InputStream in = each.getValue().open()) {
                    bytes = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                }
                zlib |= bytes.contains("\0libz.so.1\0");
                cpp |= bytes.contains("\0libstdc++.so.6\0");
                Matcher needed = GLIBC.matcher(bytes);
                while (needed.find()) {
                    glibc = Math.max(glibc, Integer.parseInt(needed.group(1)));
                }
            }
        }
        List<String> packages = new ArrayList<>(List.of("libc6 (>= 2." + glibc + ")", "passwd"));
        if (cpp) {
            packages.add("libstdc++6");
        }
        if (zlib) {
            packages.add("zlib1g");
        }
        return String.join(", ", packages);
    }

    private void produce(FileTree tree, DataConsumer data) throws IOException {
        for (String folder : tree.folders()) {
            TarArchiveEntry entry = new TarArchiveEntry(folder + "/");
            owned(entry, MODE_PROGRAM);
            data.onEachDir(entry);
        }
        for (Map.Entry<String, Item> each : tree.files().entrySet()) {
            String path = each.getKey();
            TarArchiveEntry entry = new TarArchiveEntry(path);
            entry.setSize(each.getValue().size());
            boolean settings = path.startsWith("etc/jitney/");
            owned(entry, each.getValue().executable() ? MODE_PROGRAM : settings ? MODE_SETTINGS : MODE_FILE);
            try (InputStream in = each.getValue().open()) {
                data.onEachFile(in, entry);
            }
        }
        TarArchiveEntry bin = new TarArchiveEntry("usr/bin/");
        owned(bin, MODE_PROGRAM);
        data.onEachDir(bin);
        TarArchiveEntry link = new TarArchiveEntry("usr/bin/jitney", TarConstants.LF_SYMLINK);
        link.setLinkName("../lib/jitney/bin/jitney");
        owned(link, MODE_LINK);
        data.onEachLink(link);
    }

    private void owned(TarArchiveEntry entry, int mode) {
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        entry.setMode(mode);
        entry.setModTime(time.toEpochMilli());
    }

    /** A console that drops jdeb's message for every file. */
    private static final class Quiet implements Console {
        @Override
        public void debug(String message) {}

        @Override
        public void info(String message) {}

        @Override
        public void warn(String message) {
            System.err.println("jitney: " + message);
        }
    }
}
