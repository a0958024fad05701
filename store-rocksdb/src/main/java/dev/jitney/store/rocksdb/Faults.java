package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import java.util.Locale;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Turns what RocksDB and the file system report into the reasons of {@link StoreException}. */
final class Faults {
    private Faults() {}

    static StoreException of(String doing, RocksDBException e) {
        return new StoreException(reason(e), "Failed " + doing + ": " + e.getMessage(), e);
    }

    static StoreException closed(Object directory) {
        return new StoreException(
                StoreException.Reason.IO, "Expected an open messaging store in " + directory + ", but it is closed");
    }

    private static StoreException.Reason reason(RocksDBException e) {
        Status status = e.getStatus();
        // Some errors of background work arrive with their text only.
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (text.contains("no space left") || text.contains("disk quota exceeded")) {
            return StoreException.Reason.DISK_FULL;
        }
        if (status == null) {
            return StoreException.Reason.IO;
        }
        if (status.getSubCode() == Status.SubCode.NoSpace) {
            return StoreException.Reason.DISK_FULL;
        }
        return switch (status.getCode()) {
            case Corruption, NotSupported -> StoreException.Reason.CORRUPT;
            case IOError ->
                text.contains("lock file") || text.contains("lock hold")
                        ? StoreException.Reason.IN_USE
                        : StoreException.Reason.IO;
            default -> StoreException.Reason.IO;
        };
    }
}
