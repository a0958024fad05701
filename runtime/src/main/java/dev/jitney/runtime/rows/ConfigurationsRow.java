package dev.jitney.runtime.rows;

import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/**
 * The configurations of a namespace that a cluster has applied ({@code docs/formats.md}). None of them is applied again by
 * itself, so that nodes with an older file do not revert settings (CL-32).
 *
 * @param fingerprints of the configurations, the latest last; at most {@value #COUNT_MAX}
 */
public record ConfigurationsRow(List<String> fingerprints) {
    /** The maximum number of configurations in a row. */
    public static final int COUNT_MAX = 16;

    /** The row of a namespace without an applied configuration. */
    public static final ConfigurationsRow NONE = new ConfigurationsRow(List.of());

    private static final int VERSION = 1;
    private static final int CHARACTERS_MAX = 128;

    public ConfigurationsRow {
        fingerprints = List.copyOf(fingerprints);
    }

    /** Returns whether the configuration was applied before. */
    public boolean contains(String fingerprint) {
        return fingerprints.contains(fingerprint);
    }

    /** Returns this row with a configuration that is applied now, without the oldest one if there are too many. */
    public ConfigurationsRow with(String fingerprint) {
        List<String> all = new ArrayList<>(fingerprints);
        all.remove(fingerprint);
        all.add(fingerprint);
        return new ConfigurationsRow(all.subList(Math.max(0, all.size() - COUNT_MAX), all.size()));
    }

    byte[] toBytes() {
        RowOutput out = new RowOutput(256).u8(VERSION).u8(fingerprints.size());
        fingerprints.forEach(out::text);
        return out.toBytes();
    }

    static ConfigurationsRow read(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "configurations");
        int count = in.u8();
        List<String> fingerprints = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fingerprints.add(in.text());
        }
        in.end();
        if (count > COUNT_MAX || fingerprints.stream().anyMatch(text -> text.length() > CHARACTERS_MAX)) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected at most " + COUNT_MAX + " fingerprints of at most " + CHARACTERS_MAX
                            + " characters, but got " + count + ".");
        }
        return new ConfigurationsRow(fingerprints);
    }
}
