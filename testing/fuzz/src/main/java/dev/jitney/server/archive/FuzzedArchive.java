package dev.jitney.server.archive;

import dev.jitney.runtime.store.LogPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

/** An archive with one file of any content, whose checksums are right. For one thread. */
public final class FuzzedArchive {
    private static final UUID SET = new UUID(17, 4);
    private static final long[] NUMBERS = {0, 1, -1, 7, 8, Long.MAX_VALUE, Long.MIN_VALUE, 1_795_000_000_000L};
    private static final int[] LENGTHS = {0, 1, 8, 16, 24, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 30};
    private static final int HEADER_SUM_AT = 4;
    private static final int HEADER_SUMMED_FROM = 8;
    private static final int STORES_AT = 12;
    private static final int KIND_AT = 4;
    private static final int LENGTH_AT = 8;
    private static final long MOMENT_MS = 1_795_000_000_000L;

    private final Path directory;

    /** @param directory an empty directory */
    public FuzzedArchive(Path directory) {
        this.directory = directory;
    }

    /** Returns a file of valid or nearly valid structure. */
    public static byte[] generate(Random random) {
        int stores = 1 + random.nextInt(3);
        long[] numbers = new long[stores];
        List<LogPosition> before = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            numbers[i] = random.nextInt(10) == 0 ? one(random, NUMBERS) : 7;
            before.add(new LogPosition(i, numbers[i]));
        }
        ArchiveHeader.Start[] starts = ArchiveHeader.Start.values();
        ArchiveHeader header = new ArchiveHeader(
                SET,
                1,
                random.nextInt(10) == 0 ? one(random, NUMBERS) : 1,
                starts[random.nextInt(starts.length)],
                random.nextInt(3) - 1,
                before);
        ByteBuffer out = ByteBuffer.allocate(4_000).put(header.encoded());
        int records = random.nextInt(6);
        for (int i = 0; i < records; i++) {
            int store = random.nextInt(stores);
            if (random.nextBoolean()) {
                numbers[store]++;
                put(random, out, ArchiveFormat.COMMIT, store, numbers[store], new byte[1 + random.nextInt(40)]);
            } else {
                put(random, out, ArchiveFormat.MOMENT, 0, MOMENT_MS + i, ArchiveFormat.moment(numbers));
            }
        }
        put(random, out, ArchiveFormat.END, 0, records, ArchiveFormat.end(numbers, MOMENT_MS, MOMENT_MS + records));
        byte[] all = new byte[out.position()];
        out.get(0, all);
        return all;
    }

    private static void put(Random random, ByteBuffer out, byte kind, int store, long number, byte[] content) {
        int at = out.position();
        ArchiveFormat.putHeader(out, kind, store, number, content);
        out.put(content);
        switch (random.nextInt(30)) {
            case 0 -> out.putLong(at + ArchiveFormat.RECORD_HEADER - Long.BYTES, one(random, NUMBERS));
            case 1 -> out.putInt(at + LENGTH_AT, LENGTHS[random.nextInt(LENGTHS.length)]);
            case 2 -> out.put(at + KIND_AT, (byte) random.nextInt());
            default -> {}
        }
    }

    private static long one(Random random, long[] of) {
        return of[random.nextInt(of.length)];
    }

    /**
     * Checks an archive with one file, and reads the commits between a backup and the last moment that it reaches. All of it is read, or
     * refused in one line.
     *
     * @param complete whether the file has the name of a complete one
     */
    public void read(byte[] input, boolean complete) throws IOException {
        byte[] file = withSums(input);
        Path path = directory.resolve(complete ? ArchiveDirectory.name(1) : ArchiveDirectory.partName(1));
        Files.write(path, file);
        try {
            ArchiveDirectory archive = ArchiveDirectory.existing(directory);
            archive.check().findings().forEach(FuzzedArchive::requireLine);
            for (ArchiveDirectory.Listed listed : archive.list()) {
                ArchiveFile found = listed.file();
                if (found == null) {
                    requireLine(listed.trouble());
                } else {
                    requireInside(found, file.length);
                    restore(Timeline.of(archive), found.header());
                }
            }
        } catch (ArchiveException refused) {
            requireLine(String.valueOf(refused.getMessage()));
        } finally {
            Files.delete(path);
        }
    }

    private static void restore(Timeline timeline, ArchiveHeader header) throws ArchiveException {
        timeline.ranges();
        ArchiveDirectory.Origin backup = new ArchiveDirectory.Origin(MOMENT_MS - 1, header.before());
        long reach = timeline.reach(backup);
        if (reach == 0) {
            return;
        }
        ArchiveTarget target = timeline.target(backup, reach);
        if (target.momentMs() < backup.momentMs()) {
            throw new AssertionError("Expected a moment behind the backup, but got " + target.momentMs());
        }
        long[] last = header.numbers();
        target.read((store, number, content) -> {
            last[store]++;
            if (number != last[store]) {
                throw new AssertionError("Expected commit " + last[store] + ", but got " + number);
            }
        });
    }

    private static void requireInside(ArchiveFile found, int bytes) {
        if (found.validBytes() > bytes) {
            throw new AssertionError("Expected at most " + bytes + " bytes, but got " + found.validBytes());
        }
    }

    private static void requireLine(String line) {
        if (line == null || line.isBlank() || line.contains("\n")) {
            throw new AssertionError("Expected one line that describes the error, but got: " + line);
        }
    }

    private static byte[] withSums(byte[] input) {
        ByteBuffer file = ByteBuffer.wrap(input.clone());
        if (file.capacity() < STORES_AT + Integer.BYTES) {
            return file.array();
        }
        int stores = file.getInt(STORES_AT);
        if (stores < 1 || stores > ArchiveFormat.STORES_MAX || ArchiveHeader.bytes(stores) > file.capacity()) {
            return file.array();
        }
        int at = ArchiveHeader.bytes(stores);
        CRC32C sum = new CRC32C();
        sum.update(file.array(), HEADER_SUMMED_FROM, at - HEADER_SUMMED_FROM);
        file.putInt(HEADER_SUM_AT, (int) sum.getValue());
        while (file.capacity() - at >= ArchiveFormat.RECORD_HEADER) {
            int length = file.getInt(at + LENGTH_AT);
            int from = at + ArchiveFormat.RECORD_HEADER;
            if (length < 0 || length > file.capacity() - from) {
                break;
            }
            byte[] content = new byte[length];
            file.get(from, content);
            file.putInt(at, ArchiveFormat.sum(file, at, content));
            at = from + length;
        }
        return file.array();
    }
}
