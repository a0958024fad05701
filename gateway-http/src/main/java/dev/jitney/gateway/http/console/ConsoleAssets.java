package dev.jitney.gateway.http.console;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, compressed, from the class path. The module {@code console} lists them in a file, because the entries of a
 * jar cannot be listed. Immutable; any thread may call it.
 */
final class ConsoleAssets {
    private static final String FOLDER = "/dev/jitney/console/";
    private static final String LIST = "assets.txt";
    private static final String INDEX = "index.html";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, Asset> assets;

    /**
     * One file.
     *
     * @param type the media type
     * @param tag the entity tag, with its quotation marks
     * @param immutable true if the name contains a hash of the content
     */
    record Asset(String type, String tag, boolean immutable, byte[] gzip) {
        /** Returns the content without compression. */
        byte[] plain() {
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private ConsoleAssets(Map<String, Asset> assets) {
        this.assets = assets;
    }

    /** Reads the files. There are none if the build had no Node. */
    static ConsoleAssets load() {
        Map<String, Asset> assets = new TreeMap<>();
        try (InputStream list = ConsoleAssets.class.getResourceAsStream(FOLDER + LIST)) {
            if (list != null) {
                for (String name : new String(list.readAllBytes(), StandardCharsets.UTF_8)
                        .strip()
                        .split("\n")) {
                    assets.put(name, read(name));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the files of the console.", e);
        }
        return new ConsoleAssets(assets);
    }

    private static Asset read(String name) throws IOException {
        try (InputStream in = ConsoleAssets.class.getResourceAsStream(FOLDER + name + ".gz")) {
            if (in == null) {
                throw new IOException("Expected " + FOLDER + name + ".gz on the class path, but it is missing.");
            }
            byte[] gzip = in.readAllBytes();
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            return new Asset(
                    type == null ? "application/octet-stream" : type, tag(gzip), name.startsWith("assets/"), gzip);
        }
    }

    private static String tag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + HexFormat.of().formatHex(Arrays.copyOf(digest, 12)) + '"';
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected SHA-256 in this Java runtime, but it is missing.", e);
        }
    }

    /** Returns whether this build has a console. */
    boolean exist() {
        return assets.containsKey(INDEX);
    }

    /**
     * Returns a file, or null if there is none.
     *
     * @param name the path below {@code /console/}; empty for the page
     */
    @Nullable
    Asset get(String name) {
        return assets.get(name.isEmpty() ? INDEX : name);
    }
}
