package dev.jitney.server.archive;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an archive:
 *
 * <table>
 * <caption>Its content</caption>
 * <tr><td>{@code archive.lock}</td><td>locked by the server that writes the archive</td></tr>
 * <tr><td>{@code NUMBER.archive}</td><td>a complete file, which does not change</td></tr>
 * <tr><td>{@code NUMBER.part}</td><td>the file that is being written, or was interrupted</td></tr>
 * </table>
 */
public final class ArchiveDirectory {
    /** The maximum number of files. */
    static final int FILES_MAX = 1_000_000;

    private static final String LOCK = "archive.lock";
    private static final Pattern NAME = Pattern.compile("([0-9]{12})\\.(archive|part)");

    private final Path path;

    private ArchiveDirectory(Path path) {
        this.path = path;
    }

    static String name(long sequence) {
        return String.format(Locale.ROOT, "%012d.archive", sequence);
    }

    static String partName(long sequence) {
        return String.format(Locale.ROOT, "%012d.part", sequence);
    }

    /**
     * Returns the directory of an archive, which may be missing or empty.
     *
     * @throws ArchiveException if it has other files
     * @throws IOException      if it cannot be read
     */
    public static ArchiveDirectory of(Path directory) throws IOException, ArchiveException {
        Path path = directory.toAbsolutePath().normalize();
        if (Files.exists(path)) {
            try (DirectoryStream<Path> content = Files.newDirectoryStream(path)) {
                for (Path other : content) {
                    String name = String.valueOf(other.getFileName());
                    if (!name.equals(LOCK) && !NAME.matcher(name).matches()) {
                        throw new ArchiveException(directory
                                + ": Expected the directory of an archive or an empty one, but it has other files, such as "
                                + name + ". Choose another directory.");
                    }
                }
            } catch (NotDirectoryException e) {
                throw new IOException(directory + " is a file and no directory", e);
            }
        }
        return new ArchiveDirectory(path);
    }

    /**
     * Returns the directory of an archive that exists.
     *
     * @throws ArchiveException if there is none
     */
    public static ArchiveDirectory existing(Path directory) throws ArchiveException {
        try {
            if (!Files.isDirectory(directory)) {
                throw new ArchiveException(directory + ": Expected the directory of an archive, but there is none.");
            }
            return of(directory);
        } catch (IOException e) {
            throw new ArchiveException(directory + ": Cannot read the directory (" + e + ").", e);
        }
    }

    /** Returns its absolute path. */
    public Path path() {
        return path;
    }

    /**
     * Creates the directory if it does not exist, and excludes other servers from it until the channel is closed.
     *
     * @throws ArchiveException if another one holds it
     */
    FileChannel hold() throws IOException, ArchiveException {
        OwnerOnly.createDirectories(path);
        FileChannel channel = OwnerOnly.open(
                path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        boolean held = false;
        try {
            held = tryLock(channel) != null;
            if (!held) {
                throw new ArchiveException(
                        path + ": Expected to be the only server that writes this archive, but another one"
                                + " does. Give each server a directory of its own.");
            }
            return channel;
        } finally {
            if (!held) {
                channel.close();
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    /**
     * A file, or the reason why it cannot be used.
     *
     * @param sequence its number
     * @param path     its path
     * @param file     the file, or null if it is damaged or cannot be read
     * @param failure  the exception if it is damaged or cannot be read, otherwise null
     * @param trouble  a sentence, or empty text
     */
    record Listed(
            long sequence,
            Path path,
            @Nullable ArchiveFile file,
            @Nullable Exception failure,
            String trouble) {}

    /**
     * Returns all files in their order. Only the headers and the ends of complete files are read; an interrupted one is read as a
     * whole.
     */
    List<Listed> list() throws IOException, ArchiveException {
        List<Listed> all = new ArrayList<>();
        if (!Files.isDirectory(path)) {
            return all;
        }
        try (DirectoryStream<Path> content = Files.newDirectoryStream(path)) {
            for (Path file : content) {
                Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                if (name.matches()) {
                    if (all.size() >= FILES_MAX) {
                        throw new ArchiveException(path + ": Expected at most " + FILES_MAX
                                + " files. Delete old backups, and then: jitney backup prune");
                    }
                    all.add(new Listed(Long.parseLong(name.group(1)), file, null, null, ""));
                }
            }
        }
        all.sort(Comparator.comparing(Listed::sequence)
                .thenComparing(one -> one.path().toString()));
        all.replaceAll(ArchiveDirectory::described);
        return all;
    }

    private static Listed described(Listed found) {
        try {
            ArchiveFile file = describe(found.path());
            if (file.header().sequence() != found.sequence()) {
                throw new ArchiveException(found.path() + ": The file is damaged: Expected file " + found.sequence()
                        + " of the archive, but got " + file.header().sequence() + ".");
            }
            return new Listed(found.sequence(), found.path(), file, null, "");
        } catch (ArchiveException e) {
            return new Listed(found.sequence(), found.path(), null, e, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new Listed(
                    found.sequence(), found.path(), null, e, found.path() + ": The file cannot be read (" + e + ").");
        }
    }

    private static ArchiveFile describe(Path file) throws IOException, ArchiveException {
        if (!file.toString().endsWith(".archive")) {
            return scan(file);
        }
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ArchiveHeader header = ArchiveFileReader.header(file, channel);
            int stores = header.before().size();
            int bytes = ArchiveFormat.endBytes(stores);
            long at = channel.size() - bytes;
            ByteBuffer end = ByteBuffer.allocate(bytes);
            while (at >= header.bytes() && end.hasRemaining() && channel.read(end, at + end.position()) >= 0) {
                // read on
            }
            byte[] content = new byte[bytes - ArchiveFormat.RECORD_HEADER];
            end.rewind().get(ArchiveFormat.RECORD_HEADER, content);
            if (end.get(4) != ArchiveFormat.END
                    || end.getInt(8) != content.length
                    || end.getInt(0) != ArchiveFormat.sum(end, 0, content)) {
                throw new ArchiveException(file + ": The file is damaged: Expected its end, but it has none.");
            }
            ByteBuffer times = ByteBuffer.wrap(content);
            return new ArchiveFile(
                    file,
                    header,
                    true,
                    at,
                    end.getLong(12),
                    ArchiveFormat.numbers(content, stores),
                    times.getLong(stores * Long.BYTES),
                    times.getLong((stores + 1) * Long.BYTES));
        }
    }

    /** Reads a whole file. */
    static ArchiveFile scan(Path file) throws IOException, ArchiveException {
        try (ArchiveFileReader reader = ArchiveFileReader.open(file)) {
            ArchiveFileReader.Found next = reader.next();
            while (next != null) {
                next = reader.next();
            }
            return reader.read();
        }
    }

    /**
     * The end of an archive, behind which a new file is written.
     *
     * @param last     the last file that can be read, which is complete; null if there is none
     * @param sequence the number of the last file, also of a damaged one; 0 if there is none
     * @param damage   a sentence about the damaged files behind the last one that can be read; empty text if there are none
     */
    record Tail(@Nullable ArchiveFile last, long sequence, String damage) {
        /** Returns the number of files between the last one that can be read and the next one. */
        long skipped() {
            return last == null ? 0 : sequence - last.header().sequence();
        }
    }

    /**
     * Completes the file that was being written when the server ended, and returns the end of the archive. A file that was interrupted
     * before its first record is deleted. A damaged one stays, because an operator may still repair it. The caller holds the directory.
     *
     * @throws NewerArchiveException if a newer version of the program wrote one of the last files
     * @throws IOException if one of the last files cannot be read; it may be intact
     */
    Tail repaired() throws IOException, ArchiveException {
        List<Listed> all = list();
        while (!all.isEmpty() && isWithoutRecords(all.get(all.size() - 1))) {
            Files.delete(all.remove(all.size() - 1).path());
            FileCommitLog.sync(path);
        }
        long sequence = all.isEmpty() ? 0 : all.get(all.size() - 1).sequence();
        String damage = "";
        for (int i = all.size() - 1; i >= 0; i--) {
            Listed listed = all.get(i);
            ArchiveFile file = listed.file();
            if (listed.failure() instanceof NewerArchiveException newer) {
                throw newer;
            }
            if (listed.failure() instanceof IOException) {
                throw new IOException(
                        listed.path() + ": The file cannot be read (" + listed.failure() + ")", listed.failure());
            }
            if (file != null) {
                return new Tail(completed(file), sequence, damage);
            }
            damage = listed.trouble();
        }
        return new Tail(null, sequence, damage);
    }

    private static boolean isWithoutRecords(Listed listed) throws IOException {
        ArchiveFile file = listed.file();
        if (!isPart(listed.path())) {
            return false;
        }
        boolean damaged =
                listed.failure() instanceof ArchiveException && !(listed.failure() instanceof NewerArchiveException);
        return file == null ? damaged && ArchiveFileReader.isCutOffInHeader(listed.path()) : file.records() == 0;
    }

    private static boolean isPart(Path file) {
        return file.toString().endsWith(".part");
    }

    private ArchiveFile completed(ArchiveFile file) throws IOException, ArchiveException {
        if (!isPart(file.path())) {
            return file;
        }
        ArchiveFileWriter.complete(path, file);
        return describe(path.resolve(name(file.header().sequence())));
    }

    /**
     * Deletes the oldest files, up to the first one that stays. The newest one always stays, and so do damaged ones before one that
     * stays. A damaged file is unneeded if a later file is.
     *
     * @return the number of deleted files
     */
    int prune(Predicate<ArchiveFile> unneeded) throws IOException, ArchiveException {
        List<Listed> all = list();
        int deletable = 0;
        for (int i = 0; i < all.size() - 1; i++) {
            ArchiveFile file = all.get(i).file();
            boolean stays = file != null && !unneeded.test(file);
            if (stays || all.get(i).failure() instanceof NewerArchiveException) {
                break;
            }
            deletable = file == null ? deletable : i + 1;
        }
        for (Listed listed : all.subList(0, deletable)) {
            Files.deleteIfExists(listed.path());
        }
        if (deletable > 0) {
            FileCommitLog.sync(path);
        }
        return deletable;
    }

    /**
     * The positions of a backup.
     *
     * @param momentMs the moment whose data it has, in milliseconds since the epoch
     * @param at       the last commit of each store
     */
    public record Origin(long momentMs, List<LogPosition> at) {
        public Origin {
            at = List.copyOf(at);
        }

        boolean needs(ArchiveFile file) {
            List<LogPosition> after = file.after();
            boolean same = after.size() == at.size();
            boolean newer = false;
            for (int i = 0; same && i < at.size(); i++) {
                same = after.get(i).log() == at.get(i).log();
                newer |= after.get(i).number() > at.get(i).number();
            }
            return same ? newer : file.lastMomentMs() == 0 || file.lastMomentMs() > momentMs;
        }
    }

    /**
     * Deletes the oldest files, as long as no backup needs them.
     *
     * @param kept the backups that stay, at least one
     * @return the number of deleted files
     * @throws ArchiveException if the directory cannot be read or changed
     */
    public int pruneFor(List<Origin> kept) throws ArchiveException {
        if (kept.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one backup that stays.");
        }
        try {
            return prune(file -> kept.stream().noneMatch(origin -> origin.needs(file)));
        } catch (IOException e) {
            throw new ArchiveException(path + ": Cannot delete files (" + e + ").", e);
        }
    }

    /**
     * The result of a check.
     *
     * @param files    the number of files
     * @param bytes    their bytes
     * @param findings sentences about damaged files; empty if all is well
     */
    public record Checked(int files, long bytes, List<String> findings) {
        public Checked {
            findings = List.copyOf(findings);
        }
    }

    /** Reads all files, and compares them with their checksums. */
    public Checked check() throws ArchiveException {
        List<String> findings = new ArrayList<>();
        int files = 0;
        long bytes = 0;
        try {
            for (Listed listed : list()) {
                files++;
                ArchiveFile file = listed.file();
                if (file == null) {
                    findings.add(listed.trouble());
                    continue;
                }
                bytes += file.validBytes();
                String trouble = trouble(file);
                if (trouble != null) {
                    findings.add(trouble);
                }
            }
        } catch (IOException e) {
            throw new ArchiveException(path + ": Cannot read the archive (" + e + ").", e);
        }
        return new Checked(files, bytes, findings);
    }

    private static @Nullable String trouble(ArchiveFile file) {
        try (ArchiveFileReader reader = open(file)) {
            ArchiveFileReader.Found next = reader.next();
            while (next != null) {
                next = reader.next();
            }
            reader.requireComplete(file);
            return null;
        } catch (ArchiveException e) {
            return e.getMessage();
        } catch (IOException e) {
            return file.path() + ": The file cannot be read (" + e + ").";
        }
    }

    /** Opens a file, which its server may have completed meanwhile. */
    static ArchiveFileReader open(ArchiveFile file) throws IOException, ArchiveException {
        try {
            return ArchiveFileReader.open(file.path());
        } catch (NoSuchFileException e) {
            if (file.closed()) {
                throw e;
            }
            Path directory = Objects.requireNonNull(file.path().getParent());
            return ArchiveFileReader.open(directory.resolve(name(file.header().sequence())));
        }
    }
}
