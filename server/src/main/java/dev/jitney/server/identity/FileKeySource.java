package dev.jitney.server.identity;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A file with keys, for a server that cannot reach the identity provider. Its changes are noticed. */
record FileKeySource(Path file) implements KeySource {
    private static final long REFRESH_MS = 60_000;

    @Override
    public CompletableFuture<String> read() {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(DOCUMENT_BYTES_MAX + 1);
            if (bytes.length > DOCUMENT_BYTES_MAX) {
                return CompletableFuture.failedFuture(new IOException("Expected at most " + DOCUMENT_BYTES_MAX
                        + " bytes of keys in '" + file + "', but the file is larger."));
            }
            return CompletableFuture.completedFuture(new String(bytes, StandardCharsets.UTF_8));
        } catch (NoSuchFileException missing) {
            return CompletableFuture.failedFuture(
                    new IOException("Expected a file with keys at '" + file + "', but there is none."));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public long refreshMs() {
        return REFRESH_MS;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
