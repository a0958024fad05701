package dev.jitney.cluster.checkpoint;

import dev.jitney.cluster.ratis.LogPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The content of a checkpoint.
 *
 * @param id    its id on the member that has made it
 * @param point everything up to this place of the log is in it
 * @param files the files of all stores
 */
public record CheckpointManifest(String id, LogPoint point, List<File> files) {
    /** The maximum size of a part of a file in one answer. */
    public static final int CHUNK_BYTES = 1 << 20;

    /** The maximum number of files of all stores. */
    static final int FILES_MAX = 1 << 16;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{1,64}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");

    public CheckpointManifest {
        files = List.copyOf(files);
    }

    /**
     * A file.
     *
     * @param store number of the store
     * @param name  its name, without a directory
     * @param bytes its size
     */
    public record File(int store, String name, long bytes) {}

    /** Returns the size of all files in bytes. */
    public long bytes() {
        return files.stream().mapToLong(File::bytes).sum();
    }

    /** Returns whether a text can be the name of a file, which is never a path. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns whether a text can be the id of a checkpoint. */
    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Returns the text form: a line for the checkpoint and one for each file. */
    public String text() {
        StringBuilder text = new StringBuilder()
                .append(id)
                .append(' ')
                .append(point.term())
                .append(' ')
                .append(point.index())
                .append('\n');
        for (File file : files) {
            text.append(file.store)
                    .append(' ')
                    .append(file.bytes)
                    .append(' ')
                    .append(file.name)
                    .append('\n');
        }
        return text.toString();
    }

    /**
     * Reads the text form.
     *
     * @param stores the number of stores
     * @throws IOException if the text is not valid
     */
    public static CheckpointManifest parse(String text, int stores) throws IOException {
        String[] lines = text.split("\n", FILES_MAX + 2);
        String[] first = lines[0].split(" ", -1);
        if (first.length != 3 || !isId(first[0]) || lines.length > FILES_MAX + 1) {
            throw new IOException("Expected the list of a checkpoint's files, but got something else.");
        }
        List<File> files = new ArrayList<>();
        Set<File> seen = new HashSet<>();
        try {
            for (int i = 1; i < lines.length; i++) {
                if (lines[i].isEmpty()) {
                    continue;
                }
                String[] words = lines[i].split(" ", -1);
                File file = new File(Integer.parseInt(words[0]), words[2], Long.parseLong(words[1]));
                boolean valid = words.length == 3
                        && file.store >= 0
                        && file.store < stores
                        && file.bytes >= 0
                        && isName(file.name)
                        && seen.add(new File(file.store, file.name, 0));
                if (!valid) {
                    throw new IOException("Expected a file of a checkpoint, but line " + (i + 1) + " is not valid.");
                }
                files.add(file);
            }
            return new CheckpointManifest(
                    first[0], new LogPoint(Long.parseLong(first[1]), Long.parseLong(first[2])), files);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("Expected the list of a checkpoint's files, but got something else.", e);
        }
    }
}
