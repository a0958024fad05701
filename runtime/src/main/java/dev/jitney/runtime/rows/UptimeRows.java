package dev.jitney.runtime.rows;

import dev.jitney.core.idle.Downtimes;
import dev.jitney.core.idle.Downtimes.Downtime;
import dev.jitney.runtime.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Keys and values of UPTIME ({@code docs/formats.md}). */
final class UptimeRows {
    static final byte[] ALIVE = "alive".getBytes(StandardCharsets.US_ASCII);
    static final byte[] DOWNTIMES = "downtimes".getBytes(StandardCharsets.US_ASCII);

    private static final int VERSION = 1;

    private UptimeRows() {}

    static byte[] alive(long timeMs) {
        return new RowOutput(9).u8(VERSION).i64(timeMs).toBytes();
    }

    static long alive(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "uptime");
        long timeMs = in.i64();
        in.end();
        return timeMs;
    }

    static byte[] downtimes(Downtimes downtimes) {
        RowOutput out = new RowOutput(5 + 16 * downtimes.all().size())
                .u8(VERSION)
                .i32(downtimes.all().size());
        for (Downtime one : downtimes.all()) {
            out.i64(one.fromMs()).i64(one.untilMs());
        }
        return out.toBytes();
    }

    static Downtimes downtimes(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "downtimes");
        int count = in.i32();
        if (count < 0 || count > Downtimes.COUNT_MAX) {
            throw in.corrupt(count + " downtimes");
        }
        List<Downtime> all = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                all.add(new Downtime(in.i64(), in.i64()));
            }
            in.end();
            return new Downtimes(all);
        } catch (IllegalArgumentException e) {
            throw in.corrupt("invalid times: " + e.getMessage());
        }
    }
}
