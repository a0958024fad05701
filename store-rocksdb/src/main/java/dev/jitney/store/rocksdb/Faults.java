package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.util.Locale;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Converts errors of RocksDB and of the file system into {@link StoreException}. */
final class Faults {
    private Faults() {}

    /** @param e the error of RocksDB or of the file system */
    static StoreException of(String doing, Exception e) {
        StoreException.Reason reason = isFull(e) ? StoreException.Reason.DISK_FULL : reason(e);
        return new StoreException(
                reason, "Failed " + doing + ": " + (e instanceof IOException ? e : e.getMessage()), e);
    }

    static StoreException closed(Object directory) {
        return new StoreException(
                StoreException.Reason.IO, "Expected an open messaging store in " + directory + ", but it is closed");
    }

    private static StoreException.Reason reason(Exception e) {
        Status status = e instanceof RocksDBException told ? told.getStatus() : null;
        if (status == null) {
            return StoreException.Reason.IO;
        }
        return switch (status.getCode()) {
            case Corruption, NotSupported -> StoreException.Reason.CORRUPT;
            case IOError ->
                text(e).contains("lock file") || text(e).contains("lock hold")
                        ? StoreException.Reason.IN_USE
                        : StoreException.Reason.IO;
            default -> StoreException.Reason.IO;
        };
    }

    /** Some errors of background work have only a text, and those of the file system always. */
    private static boolean isFull(Exception e) {
        return text(e).contains("no space left")
                || text(e).contains("disk quota exceeded")
                || e instanceof RocksDBException told
                        && told.getStatus() != null
                        && told.getStatus().getSubCode() == Status.SubCode.NoSpace;
    }

    private static String text(Exception e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    }
}
