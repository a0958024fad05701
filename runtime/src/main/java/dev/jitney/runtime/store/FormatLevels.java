package dev.jitney.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * The levels that a release supports (CL-60). A level says which formats of rows and entries may be written. It belongs to the data
 * and not to the program: a row in the first store has it ({@link LevelRow}), and all nodes of a cluster have the same one. So a node of
 * an earlier release can apply what a later one has written, and lead, until an operator raises the level (CL-61).
 *
 * <p><b>To add a level</b> (CL-62), when a version of a row or entry, or a table, is new:
 *
 * <ol>
 *   <li>Raise the highest level of {@link #OF_THIS_RELEASE} by one, once for each release, and describe the level in {@code
 *       docs/formats.md}.
 *   <li>Keep the writer of the version before for one release. Choose the writer by the current level: rows by {@code
 *       StoreRowWriter.level()}, entries by {@code LeaderTerm.level()}. Readers know all versions.
 *   <li>Run {@code ./jitney upgrade-test} with the release before.
 *   <li>In a later release, when no cluster has the lower level any more, remove the old writer and raise the lowest level.
 * </ol>
 *
 * @param lowest  the lowest level that the release can read and write, from 1
 * @param highest the highest level that the release can read and write, at least {@code lowest}
 */
public record FormatLevels(int lowest, int highest) {
    /** The level of data without a row for it: that of the first release with clusters. */
    public static final int FIRST = 1;

    /** The levels of releases that do not know of levels. */
    public static final FormatLevels ONLY_FIRST = new FormatLevels(FIRST, FIRST);

    /** The levels that this release supports. */
    public static final FormatLevels OF_THIS_RELEASE = new FormatLevels(FIRST, FIRST);

    public FormatLevels {
        if (lowest < FIRST || highest < lowest) {
            throw new IllegalArgumentException(
                    "Expected levels from " + FIRST + " on, but got " + lowest + " to " + highest + ".");
        }
    }

    /** Returns whether the release can read and write a level. */
    public boolean supports(int level) {
        return lowest <= level && level <= highest;
    }

    /**
     * Returns sentences with the reason and the remedy why a program of this release must not use data, or null if it may
     * (CL-61, CL-84).
     *
     * @param level the level of the data
     * @param newer the release to install if the level is too high, or an empty text if it is unknown
     */
    public @Nullable String refusal(int level, String newer) {
        if (supports(level)) {
            return null;
        }
        return "The data has level " + level + ", but the release of the node supports " + this + ". "
                + (level > highest
                        ? "Install " + (newer.isEmpty() ? "a release that supports level " + level : "release " + newer)
                                + " or a newer one on the node."
                        : "Install the release before it on the node, run 'jitney cluster upgrade', and then install this release again.");
    }

    /** Returns the levels in words, for example {@code level 1 only} or {@code levels 1 to 2}. */
    @Override
    public String toString() {
        return lowest == highest ? "level " + lowest + " only" : "levels " + lowest + " to " + highest;
    }
}
