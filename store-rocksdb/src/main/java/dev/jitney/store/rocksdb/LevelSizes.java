package dev.jitney.store.rocksdb;

import java.util.ArrayList;
import java.util.List;

/**
 * The sizes of the levels of a column family, from RocksDB's property {@code rocksdb.levelstats}: a line for each
 * level with its number, the number of its files, and its size, rounded to whole MiB.
 */
record LevelSizes(List<Long> bytes) {
    private static final long MIB = 1L << 20;

    LevelSizes {
        bytes = List.copyOf(bytes);
    }

    /** Parses the property; lines that do not begin with the number of the next level are headings. */
    static LevelSizes parse(String levelstats) {
        List<Long> bytes = new ArrayList<>();
        for (String line : levelstats.lines().toList()) {
            String[] words = line.strip().split("\\s+");
            if (words.length == 3 && words[0].equals(Integer.toString(bytes.size()))) {
                boolean empty = words[1].equals("0");
                bytes.add(Long.parseLong(words[2]) * MIB + (empty ? 0 : MIB / 2));
            }
        }
        return new LevelSizes(bytes);
    }

    /** Returns an upper bound of the size of a level, at most one MiB too large; 0 if there is no such level. */
    long bytes(int level) {
        return level < bytes.size() ? bytes.get(level) : 0;
    }
}
