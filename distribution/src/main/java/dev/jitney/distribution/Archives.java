package dev.jitney.distribution;

import dev.jitney.distribution.FileTree.Item;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/**
 * Writer of reproducible archives: their bytes depend only on the files. The files are in the order of their paths, all with
 * the same time and owner, and with permissions that do not depend on the build.
 */
final class Archives {
    private static final int FILE = 0644;
    private static final int PROGRAM = 0755;

    private Archives() {}

    /** Writes a {@code .tar.gz}. All files in it have the time {@code time}. */
    static void tarGz(FileTree tree, String top, Path target, Instant time) throws IOException {
        GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(target));
                OutputStream gzip = new GzipCompressorOutputStream(file, parameters);
                TarArchiveOutputStream tar = new TarArchiveOutputStream(gzip, "UTF-8")) {
            tarFolder(tar, top, time);
            put(tar, tree, top + "/", time);
        }
    }

    /** Writes a {@code .tar} without a top folder. All files in it have the time {@code time}. */
    static void tar(FileTree tree, Path target, Instant time) throws IOException {
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(target));
                TarArchiveOutputStream tar = new TarArchiveOutputStream(file, "UTF-8")) {
            put(tar, tree, "", time);
        }
    }

    private static void put(TarArchiveOutputStream tar, FileTree tree, String top, Instant time) throws IOException {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        for (String folder : tree.folders()) {
            tarFolder(tar, top + folder, time);
        }
        for (Map.Entry<String, Item> each : tree.files().entrySet()) {
            Item item = each.getValue();
            TarArchiveEntry entry = new TarArchiveEntry(top + each.getKey());
            entry.setSize(item.size());
            entry.setMode(0100000 | (item.executable() ? PROGRAM : FILE));
            put(tar, entry, time);
            copy(item, tar);
            tar.closeArchiveEntry();
        }
    }

    private static void tarFolder(TarArchiveOutputStream tar, String path, Instant time) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(path + "/");
        entry.setMode(040000 | PROGRAM);
        put(tar, entry, time);
        tar.closeArchiveEntry();
    }

    private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, Instant time) throws IOException {
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        entry.setModTime(time.toEpochMilli());
        tar.putArchiveEntry(entry);
    }

    /** Writes a {@code .zip}. All files in it have the time {@code time}, in UTC. */
    static void zip(FileTree tree, String top, Path target, Instant time) throws IOException {
        try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(target)) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            zipFolder(zip, top, time);
            for (String folder : tree.folders()) {
                zipFolder(zip, top + "/" + folder, time);
            }
            for (Map.Entry<String, Item> each : tree.files().entrySet()) {
                ZipArchiveEntry entry = new ZipArchiveEntry(top + "/" + each.getKey());
                entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
                entry.setUnixMode(0100000 | (each.getValue().executable() ? PROGRAM : FILE));
                zip.putArchiveEntry(entry);
                copy(each.getValue(), zip);
                zip.closeArchiveEntry();
            }
        }
    }

    private static void zipFolder(ZipArchiveOutputStream zip, String path, Instant time) throws IOException {
        ZipArchiveEntry entry = new ZipArchiveEntry(path + "/");
        entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
        entry.setUnixMode(040000 | PROGRAM);
        zip.putArchiveEntry(entry);
        zip.closeArchiveEntry();
    }

    private static void copy(Item item, OutputStream out) throws IOException {
        try (InputStream in = item.open()) {
            in.transferTo(out);
        }
    }
}
