package dev.jitney.distribution.audit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A file of advisories in the format of OSV: a zip file with one JSON document in each entry, as OSV exports an ecosystem, or JSON
 * documents one after another, or an array of them. Documents are read one at a time, so the size of the file does not matter.
 */
final class Advisories {
    /** No advisory is nearly as large. It bounds the memory for a damaged or hostile file. */
    private static final int DOCUMENT_BYTES_MAX = 16 << 20;

    private static final ObjectMapper JSON = new ObjectMapper().disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);

    private Advisories() {}

    /**
     * Reads a file.
     *
     * @return the number of advisories
     * @throws IOException if the file is no such file; the message names the place
     */
    static long read(Path file, Consumer<Advisory> each) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            if (file.toString().toLowerCase(Locale.ROOT).endsWith(".zip")) {
                return zip(file, in, each);
            }
            return documents(in, each);
        } catch (JacksonException e) {
            throw new IOException(
                    file + ": Expected JSON in the format of OSV, but " + e.getOriginalMessage() + ".", e);
        }
    }

    private static long zip(Path file, InputStream in, Consumer<Advisory> each) throws IOException {
        long count = 0;
        try (ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory() && entry.getName().endsWith(".json")) {
                    byte[] content = zip.readNBytes(DOCUMENT_BYTES_MAX + 1);
                    if (content.length > DOCUMENT_BYTES_MAX) {
                        throw new IOException(file + ": Expected at most " + DOCUMENT_BYTES_MAX + " bytes in "
                                + entry.getName() + ", but it has more.");
                    }
                    count += add(JSON.readTree(content), each);
                }
            }
        }
        if (count == 0) {
            throw new IOException(file + ": Expected JSON documents in the format of OSV, but it has none.");
        }
        return count;
    }

    private static long documents(InputStream in, Consumer<Advisory> each) throws IOException {
        long count = 0;
        try (JsonParser parser = JSON.getFactory().createParser(in)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    count += add(parser.readValueAsTree(), each);
                } else if (token != JsonToken.START_ARRAY && token != JsonToken.END_ARRAY) {
                    throw new IOException("Expected JSON objects in the format of OSV, but got " + token + ".");
                }
            }
        }
        return count;
    }

    private static int add(JsonNode document, Consumer<Advisory> each) throws IOException {
        if (!document.path("id").isTextual()) {
            throw new IOException("Expected advisories in the format of OSV, but a document has no id.");
        }
        each.accept(new Advisory(document));
        return 1;
    }
}
