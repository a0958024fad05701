package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;

/** The permissions of directories and of files with secrets. */
final class FilesCheck implements Check {
    private static final int DEPTH = 3;
    private static final String OURS =
            "{server.lock,stores.properties*,entities-*,store-*,tls,raft,cluster.properties*,checkpoints-*}";

    @Override
    public String name() {
        return "files";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        for (Path directory : of.directories()) {
            if (!Files.isDirectory(directory)) {
                to.advice(
                        directory + " does not exist yet, or is not mounted.",
                        "Check the path and the mounts. A first start creates the data directory.");
                continue;
            }
            String mode = Modes.openToOthers(directory);
            if (mode != null) {
                to.warning(
                        "Other users of this machine can access " + directory + " (" + mode + ").",
                        "chmod 700 " + directory);
            }
            contents(directory, to);
        }
        Path config = of.configFile();
        if (config != null) {
            secret(config, "may have keys", to);
        }
        for (Path file : of.secretFiles()) {
            secret(file, "has a key", to);
        }
        if (to.isClean()) {
            to.ok("Only their owner can access the data, the keys and the configuration.");
        }
    }

    private static void contents(Path directory, Findings to) throws IOException {
        try (DirectoryStream<Path> ours = Files.newDirectoryStream(directory, OURS)) {
            for (Path each : ours) {
                Files.walkFileTree(each, EnumSet.noneOf(FileVisitOption.class), DEPTH, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                        String mode = attributes.isRegularFile() ? Modes.openToOthers(file) : null;
                        if (mode != null) {
                            to.warning(
                                    "Other users of this machine can read " + file + " (" + mode + ").",
                                    "Restart the server, which restricts its files, or run: chmod -R go= " + each);
                            return FileVisitResult.TERMINATE;
                        }
                        return Thread.currentThread().isInterrupted()
                                ? FileVisitResult.TERMINATE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException gone) {
                        return FileVisitResult.CONTINUE;
                    }
                });
            }
        }
    }

    private static void secret(Path file, String content, Findings to) throws IOException {
        if (!Files.exists(file)) {
            to.fault(file + " does not exist.", "Restore the file, or correct the option that names it.");
            return;
        }
        if (Files.isDirectory(file)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(file)) {
                for (Path each : all) {
                    if (Files.isRegularFile(each)) {
                        secret(each, content, to);
                    }
                }
            }
            return;
        }
        String mode = Modes.openToOthers(file);
        if (mode != null) {
            to.warning(
                    "Other users of this machine can read " + file + ", which " + content + " (" + mode + ").",
                    "chmod 600 " + file);
        }
    }
}
