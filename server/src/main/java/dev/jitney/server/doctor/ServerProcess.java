package dev.jitney.server.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The process that holds a data directory.
 *
 * @param running whether a process holds the directory
 * @param pid its id, or 0 if it is not known, for example because it runs in another container
 */
public record ServerProcess(boolean running, long pid) {
    /** No process. */
    public static final ServerProcess NONE = new ServerProcess(false, 0);

    private static final long LOCKED_POSITION = Long.MAX_VALUE - 1;
    private static final int PID_BYTES_MAX = 64;

    /** Looks at the lock of a data directory without taking it from a server that starts meanwhile. */
    public static ServerProcess of(@Nullable Path dataDir) {
        Path file = dataDir == null ? null : dataDir.resolve("server.lock");
        if (file == null || !Files.isRegularFile(file)) {
            return NONE;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return isHeld(channel) ? new ServerProcess(true, pid(channel)) : NONE;
        } catch (IOException e) {
            return NONE; // the check of files reports it
        }
    }

    /** A shared lock suffices: it is refused while a server has its exclusive one. */
    private static boolean isHeld(FileChannel channel) throws IOException {
        try (FileLock lock = channel.tryLock(LOCKED_POSITION, 1, true)) {
            return lock == null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return true;
        }
    }

    /** Returns the id in the file, unless that process is another program. */
    private static long pid(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(PID_BYTES_MAX);
        channel.read(text, 0);
        String word = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
        if (!word.matches("\\d{1,9}")) {
            return 0;
        }
        long pid = Long.parseLong(word);
        return ProcessHandle.of(pid).isPresent() && isJava(pid) ? pid : 0;
    }

    private static boolean isJava(long pid) {
        try {
            Path command = Path.of("/proc/" + pid + "/comm");
            return !Files.exists(command) || Files.readString(command).startsWith("java");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns a file of the process below {@code /proc}, or null if there is none. */
    public @Nullable Path file(String name) {
        Path file = Path.of("/proc/" + pid + "/" + name);
        return pid > 0 && Files.exists(file) ? file : null;
    }
}
