package dev.jitney.server.backup;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The description of one backup: the files of each store, with their checksums. Its file has two lines: a JSON object, and the
 * SHA-256 of the first line in hexadecimal. The format is in {@code docs/formats.md}.
 *
 * @param id       names the backup in its directory
 * @param momentMs the moment whose data it has, in milliseconds since the epoch
 * @param program  the version of the program that made it
 * @param newBytes the bytes of its files that no older backup had
 * @param stores   the stores, in their order
 */
public record Manifest(String id, long momentMs, String program, long newBytes, List<Store> stores) {
    /** The maximum size of a manifest in bytes. */
    public static final int BYTES_MAX = 32 << 20;

    private static final int VERSION = 1;
    private static final int STORES_MAX = 255;
    private static final int FILES_MAX = 100_000;
    private static final int PROGRAM_CHARACTERS_MAX = 100;
    private static final int DEPTH_MAX = 8;
    private static final int NUMBER_CHARACTERS_MAX = 20;
    private static final int CHECKSUM_CHARACTERS = 64;

    private static final Pattern ID = Pattern.compile("[0-9]{8}T[0-9]{9}Z");
    private static final Pattern CHECKSUM = Pattern.compile("[0-9a-f]{64}");
    /** The names of files of a store. None of them leaves the directory of the store. */
    private static final Pattern NAME = Pattern.compile("commits|db/[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private static final Pattern PROGRAM = Pattern.compile("[A-Za-z0-9.+_-]{1," + PROGRAM_CHARACTERS_MAX + "}");

    private static final ObjectMapper JSON = JsonMapper.builder(factory())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    public Manifest {
        stores = List.copyOf(stores);
    }

    /**
     * One store.
     *
     * @param log        the number that identifies its log
     * @param lastCommit the last commit that the backup has
     * @param files      its files
     */
    public record Store(long log, long lastCommit, List<File> files) {
        public Store {
            files = List.copyOf(files);
        }
    }

    /**
     * One file.
     *
     * @param name   its path in the directory of the store, with '/'
     * @param bytes  its size
     * @param sha256 the SHA-256 of its content in hexadecimal, which is also its name among the {@link ContentFiles}
     */
    public record File(String name, long bytes, String sha256) {}

    private static JsonFactory factory() {
        return new JsonFactoryBuilder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .maxNumberLength(NUMBER_CHARACTERS_MAX)
                        .maxStringLength(PROGRAM_CHARACTERS_MAX + CHECKSUM_CHARACTERS)
                        .maxDocumentLength(BYTES_MAX)
                        .build())
                .build();
    }

    /** Returns whether a text has the form of an id. */
    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Returns whether a text is a SHA-256 in lower-case hexadecimal. */
    static boolean isChecksum(String text) {
        return CHECKSUM.matcher(text).matches();
    }

    /** Returns the bytes of all files. */
    public long bytes() {
        return stores.stream()
                .flatMap(store -> store.files().stream())
                .mapToLong(File::bytes)
                .sum();
    }

    /** Returns the content of the file. */
    byte[] encoded() {
        ObjectNode root = JSON.createObjectNode();
        root.put("version", VERSION)
                .put("id", id)
                .put("moment", momentMs)
                .put("program", program)
                .put("newBytes", newBytes);
        ArrayNode all = root.putArray("stores");
        for (Store store : stores) {
            ObjectNode one =
                    all.addObject().put("log", Long.toHexString(store.log())).put("lastCommit", store.lastCommit());
            ArrayNode files = one.putArray("files");
            for (File file : store.files()) {
                files.addObject()
                        .put("name", file.name())
                        .put("bytes", file.bytes())
                        .put("sha256", file.sha256());
            }
        }
        try {
            byte[] line = JSON.writeValueAsBytes(root);
            byte[] sum = ("\n" + ContentFiles.hex(ContentFiles.sha256().digest(line)) + "\n")
                    .getBytes(StandardCharsets.US_ASCII);
            byte[] whole = Arrays.copyOf(line, line.length + sum.length);
            System.arraycopy(sum, 0, whole, line.length, sum.length);
            return whole;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Expected a tree of JSON to be written", e);
        }
    }

    /**
     * Reads a manifest. The content may come from anywhere.
     *
     * @throws BackupException if it is damaged, or has a name, a number or a size that a backup never has
     */
    public static Manifest parse(byte[] content) throws BackupException {
        if (content.length > BYTES_MAX) {
            throw damaged("at most " + BYTES_MAX + " bytes, but got " + content.length);
        }
        int sumStart = content.length - CHECKSUM_CHARACTERS - 1;
        if (sumStart < 1 || content[sumStart - 1] != '\n' || content[content.length - 1] != '\n') {
            throw damaged("a line of JSON and a line with its SHA-256, but got something else");
        }
        String sum = new String(content, sumStart, CHECKSUM_CHARACTERS, StandardCharsets.US_ASCII);
        byte[] line = Arrays.copyOf(content, sumStart - 1);
        if (!ContentFiles.hex(ContentFiles.sha256().digest(line)).equals(sum)) {
            throw damaged("the SHA-256 " + (isChecksum(sum) ? sum : "of its first line") + ", but the content differs");
        }
        try {
            return of(JSON.readTree(line));
        } catch (IOException e) {
            throw damaged("JSON, but got something else");
        }
    }

    private static Manifest of(JsonNode root) throws BackupException {
        long version = number(root, "version", 1, Integer.MAX_VALUE);
        if (version != VERSION) {
            throw new BackupException("Expected a manifest of version " + VERSION + ", but got version " + version
                    + ". A newer version of the program wrote it; use that one.");
        }
        String id = text(root, "id", ID);
        List<Store> stores = new ArrayList<>();
        int files = 0;
        for (JsonNode store : array(root, "stores", STORES_MAX)) {
            List<File> own = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (JsonNode file : array(store, "files", FILES_MAX - files)) {
                String name = text(file, "name", NAME);
                if (!names.add(name)) {
                    throw damaged("each file of a store once, but got '" + name + "' twice");
                }
                own.add(new File(name, number(file, "bytes", 0, Long.MAX_VALUE >> 20), text(file, "sha256", CHECKSUM)));
            }
            files += own.size();
            if (!names.contains("commits") || !names.contains("db/CURRENT")) {
                throw damaged("the files 'commits' and 'db/CURRENT' in each store, but one of them is missing");
            }
            stores.add(new Store(
                    Long.parseUnsignedLong(text(store, "log", Pattern.compile("[0-9a-f]{1,16}")), 16),
                    number(store, "lastCommit", 0, Long.MAX_VALUE),
                    own));
        }
        if (stores.isEmpty()) {
            throw damaged("at least one store, but got none");
        }
        return new Manifest(
                id,
                number(root, "moment", 0, 253_402_300_799_999L),
                text(root, "program", PROGRAM),
                number(root, "newBytes", 0, Long.MAX_VALUE),
                stores);
    }

    private static long number(JsonNode object, String member, long min, long max) throws BackupException {
        JsonNode value = object.get(member);
        if (value == null || !value.canConvertToLong() || !value.isIntegralNumber()) {
            throw damaged("a whole number in '" + member + "', but got something else");
        }
        long number = value.longValue();
        if (number < min || number > max) {
            throw damaged("a number from " + min + " to " + max + " in '" + member + "', but got " + number);
        }
        return number;
    }

    private static String text(JsonNode object, String member, Pattern form) throws BackupException {
        JsonNode value = object.get(member);
        if (value == null
                || !value.isTextual()
                || !form.matcher(value.textValue()).matches()) {
            throw damaged("a text of the form " + form.pattern() + " in '" + member + "', but got something else");
        }
        return value.textValue();
    }

    private static JsonNode array(JsonNode object, String member, int max) throws BackupException {
        JsonNode value = object.get(member);
        if (value == null || !value.isArray() || value.size() > max) {
            throw damaged("an array of at most " + max + " elements in '" + member + "', but got something else");
        }
        return value;
    }

    private static BackupException damaged(String expected) {
        return new BackupException("The manifest is damaged: Expected " + expected + ".");
    }
}
