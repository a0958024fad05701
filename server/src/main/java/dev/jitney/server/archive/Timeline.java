package dev.jitney.server.archive;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.server.archive.ArchiveDirectory.Listed;
import dev.jitney.server.archive.ArchiveDirectory.Origin;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of an archive in runs without gaps, and the moments that a backup can be restored to. Immutable. */
public final class Timeline {
    private final ArchiveDirectory directory;
    private final List<Run> runs;

    /** Files without a gap between them. */
    private record Run(List<ArchiveFile> files, String reason) {
        /**
         * Adds a file if it continues one of the last files. Files behind that one were damaged when the file was written, and are intact
         * again. They are dropped, because the file has their commits.
         */
        boolean add(ArchiveFile next) {
            int i = files.size() - 1;
            while (i >= 0
                    && files.get(i).header().sequence()
                            >= next.header().sequence() - 1 - next.header().skipped()
                    && !files.get(i).isContinuedBy(next)) {
                i--;
            }
            if (i < 0 || !files.get(i).isContinuedBy(next)) {
                return false;
            }
            files.subList(i + 1, files.size()).clear();
            files.add(next);
            return true;
        }

        ArchiveFile first() {
            return files.get(0);
        }

        ArchiveFile last() {
            return files.get(files.size() - 1);
        }

        long firstMomentMs() {
            return files.stream()
                    .mapToLong(ArchiveFile::firstMomentMs)
                    .filter(ms -> ms > 0)
                    .findFirst()
                    .orElse(0);
        }

        long lastMomentMs() {
            long last = 0;
            for (ArchiveFile file : files) {
                last = file.lastMomentMs() > 0 ? file.lastMomentMs() : last;
            }
            return last;
        }
    }

    private Timeline(ArchiveDirectory directory, List<Run> runs) {
        this.directory = directory;
        this.runs = List.copyOf(runs);
    }

    /** Reads the headers and the ends of all files of an archive. */
    public static Timeline of(ArchiveDirectory directory) throws ArchiveException {
        List<Run> runs = new ArrayList<>();
        List<Listed> all;
        try {
            all = directory.list();
        } catch (IOException e) {
            throw new ArchiveException(directory.path() + ": Cannot read the archive (" + e + ").", e);
        }
        long sequence = 0;
        String trouble = "";
        for (Listed listed : all) {
            ArchiveFile file = listed.file();
            if (file == null) {
                trouble = listed.trouble();
            } else {
                if (runs.isEmpty() || !runs.get(runs.size() - 1).add(file)) {
                    runs.add(new Run(new ArrayList<>(List.of(file)), reason(file, sequence, trouble)));
                }
                trouble = "";
            }
            sequence = listed.sequence();
        }
        return new Timeline(directory, runs);
    }

    private static String reason(ArchiveFile file, long sequenceBefore, String trouble) {
        if (!trouble.isEmpty()) {
            return trouble;
        }
        long expected = sequenceBefore + 1;
        if (sequenceBefore > 0 && file.header().sequence() != expected) {
            return "The file " + ArchiveDirectory.name(expected) + " is missing.";
        }
        return file.header().start() == ArchiveHeader.Start.CONTINUES
                ? "Older files were deleted."
                : file.header().start().reason();
    }

    /**
     * A part of an archive without gaps.
     *
     * @param firstMs the first moment in it, in milliseconds since the epoch, or 0 if it has none
     * @param lastMs  the last moment in it, or 0
     * @param files   the number of its files
     * @param bytes   their bytes
     * @param reason  a sentence about its beginning
     */
    public record Range(long firstMs, long lastMs, int files, long bytes, String reason) {}

    /** Returns the parts in their order. There is a gap between two of them. */
    public List<Range> ranges() {
        return runs.stream()
                .map(run -> new Range(
                        run.firstMomentMs(),
                        run.lastMomentMs(),
                        run.files().size(),
                        run.files().stream().mapToLong(ArchiveFile::validBytes).sum(),
                        run.reason()))
                .toList();
    }

    /**
     * Returns the last moment to which a backup can be restored with this archive.
     *
     * @return 0 if the archive has no moment after it
     */
    public long reach(Origin backup) {
        Run run = runOf(backup);
        return run != null && run.lastMomentMs() > backup.momentMs() && isBehind(backup, run) ? run.lastMomentMs() : 0;
    }

    private static boolean isBehind(Origin backup, Run run) {
        boolean behind = true;
        for (int i = 0; i < backup.at().size(); i++) {
            behind &= backup.at().get(i).number() <= run.last().numbers()[i];
        }
        return behind;
    }

    /**
     * Returns the run that has the commits behind a backup, or null. Numbers of commits alone do not show it: after a server was set
     * back to an older copy of its data, they occur twice. So the times of runs count too.
     */
    private @Nullable Run runOf(Origin backup) {
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run run = runs.get(i);
            boolean begun = run.first().header().madeMs() <= backup.momentMs()
                    || run.first().header().before().equals(backup.at());
            if (begun) {
                return follows(run, backup) ? run : null;
            }
        }
        return runs.stream()
                .filter(run -> isCutOff(run) && follows(run, backup))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the start of a run was deleted, so that the time of its beginning is unknown. */
    private boolean isCutOff(Run run) {
        return run == runs.get(0) && run.first().header().start() == ArchiveHeader.Start.CONTINUES;
    }

    private static boolean follows(Run run, Origin backup) {
        List<LogPosition> before = run.first().header().before();
        boolean follows = before.size() == backup.at().size();
        for (int i = 0; follows && i < before.size(); i++) {
            LogPosition at = backup.at().get(i);
            follows = before.get(i).log() == at.log() && before.get(i).number() <= at.number();
        }
        return follows;
    }

    /**
     * Finds the last moment at or before a time.
     *
     * @param toMs the time, in milliseconds since the epoch
     * @throws ArchiveException if the backup cannot be restored to this time; the message has the times that can be reached
     */
    public ArchiveTarget target(Origin backup, long toMs) throws ArchiveException {
        if (toMs < backup.momentMs()) {
            throw new ArchiveException("Expected a time from " + time(backup.momentMs())
                    + " on, which is the moment of the backup, but got " + time(toMs)
                    + ". Choose an older backup with --backup.");
        }
        Run run = runOf(backup);
        if (run == null || !isBehind(backup, run)) {
            throw new ArchiveException("Expected commits behind the backup of " + time(backup.momentMs())
                    + " in the archive " + directory.path() + ", but it has none." + gapAfter(run)
                    + " Use a newer backup, or take a new one.");
        }
        long last = run.lastMomentMs();
        if (toMs > last) {
            throw new ArchiveException("Expected a time from " + time(backup.momentMs()) + " to "
                    + time(Math.max(last, backup.momentMs()))
                    + ", which this backup and the archive can reach, but got "
                    + time(toMs) + "." + gapAfter(run)
                    + (run == runs.get(runs.size() - 1) ? "" : " Use a newer backup, or take a new one."));
        }
        return find(run, backup, toMs);
    }

    /** Returns a sentence about the gap behind a run, or at the end of the archive if the run is unknown. */
    private String gapAfter(@Nullable Run run) {
        int next = run == null ? runs.size() - 1 : runs.indexOf(run) + 1;
        if (next < 0 || next >= runs.size()) {
            return "";
        }
        Run later = runs.get(next);
        return " The archive begins again at "
                + time(
                        later.firstMomentMs() > 0
                                ? later.firstMomentMs()
                                : later.first().header().madeMs())
                + ": " + later.reason();
    }

    private ArchiveTarget find(Run run, Origin backup, long toMs) throws ArchiveException {
        long[] after = backup.at().stream().mapToLong(LogPosition::number).toArray();
        for (int i = run.files().size() - 1; i >= 0; i--) {
            ArchiveFile file = run.files().get(i);
            boolean candidate =
                    file.firstMomentMs() > 0 && (file.firstMomentMs() <= toMs || file.lastMomentMs() <= toMs);
            ArchiveFileReader.Found moment = candidate ? lastMoment(file, toMs) : null;
            if (moment != null) {
                long[] numbers = ArchiveFormat.numbers(moment.content(), after.length);
                for (int s = 0; s < after.length; s++) {
                    if (numbers[s] < after[s]) {
                        return new ArchiveTarget(backup.momentMs(), after, after, List.of()); // the backup is newer
                    }
                }
                return new ArchiveTarget(
                        Math.max(moment.number(), backup.momentMs()), after, numbers, needed(run, backup, i));
            }
        }
        return new ArchiveTarget(backup.momentMs(), after, after, List.of());
    }

    private static List<ArchiveFile> needed(Run run, Origin backup, int last) {
        int first = 0;
        while (first < last && !backup.needs(run.files().get(first))) {
            first++;
        }
        return run.files().subList(first, last + 1);
    }

    private static ArchiveFileReader.@Nullable Found lastMoment(ArchiveFile file, long toMs) throws ArchiveException {
        try (ArchiveFileReader reader = ArchiveDirectory.open(file)) {
            ArchiveFileReader.Found last = null;
            ArchiveFileReader.Found next = reader.next();
            while (next != null) {
                if (next.kind() == ArchiveFormat.MOMENT && next.number() <= toMs) {
                    last = next;
                }
                next = reader.next();
            }
            reader.requireComplete(file);
            return last;
        } catch (IOException e) {
            throw new ArchiveException(file.path() + ": The file is missing or cannot be read (" + e + ").", e);
        }
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }
}
