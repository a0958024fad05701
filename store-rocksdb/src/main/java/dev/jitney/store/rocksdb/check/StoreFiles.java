package dev.jitney.store.rocksdb.check;

import dev.jitney.store.rocksdb.log.LogCheck;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/**
 * The checksums of a store's files, read without opening the store and without writing: every block of every table file, and every
 * commit of the log. A store that a server has open can be checked too, except its log, which changes meanwhile.
 *
 * @param files the number of files that were read
 * @param bytes their size
 * @param damages a sentence for each damaged file
 */
public record StoreFiles(long files, long bytes, List<String> damages) {
    private static final String TABLES = "db";
    private static final String TABLE_FILES = "*.sst";
    private static final String LOG_FILES = "*.log";

    public StoreFiles {
        damages = List.copyOf(damages);
    }

    /**
     * Checks the files of one store, the smallest first.
     *
     * @param directory the directory of the store
     * @param stopped whether no server has the store open, so that its log does not change
     * @throws InterruptedException if the thread is interrupted between two files
     */
    public static StoreFiles check(Path directory, boolean stopped) throws IOException, InterruptedException {
        RocksDB.loadLibrary();
        List<String> damages = new ArrayList<>();
        Path tables = directory.resolve(TABLES);
        if (!Files.isRegularFile(tables.resolve("CURRENT"))) {
            damages.add("The store " + directory + " has no database (" + tables.resolve("CURRENT") + " is missing).");
        }
        List<Path> files = new ArrayList<>(matching(tables, TABLE_FILES));
        if (stopped) {
            files.addAll(matching(directory.resolve("log"), LOG_FILES));
        }
        files.sort(Comparator.comparingLong(StoreFiles::size));
        long bytes = 0;
        for (Path file : files) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            bytes += size(file);
            String damage = file.startsWith(tables) ? tableDamage(file) : LogCheck.damage(file);
            if (damage != null) {
                damages.add(damage);
            }
        }
        return new StoreFiles(files.size(), bytes, damages);
    }

    private static List<Path> matching(Path directory, String glob) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, glob)) {
                all.forEach(files::add);
            }
        }
        return files;
    }

    private static @Nullable String tableDamage(Path file) throws IOException {
        try (Options options = new Options();
                SstFileReader reader = new SstFileReader(options)) {
            reader.open(file.toString());
            reader.verifyChecksum();
            return null;
        } catch (RocksDBException e) {
            if (!Files.exists(file)) {
                return null; // a running server has merged it into another one
            }
            return "The table file " + file + " is damaged: " + e.getMessage() + ".";
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }
}
