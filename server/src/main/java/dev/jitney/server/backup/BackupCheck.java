package dev.jitney.server.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The check of all backups of a directory, or of one: every manifest, and the content of every file, each once. */
public final class BackupCheck {
    private BackupCheck() {}

    /**
     * The result.
     *
     * @param backups  the number of backups that were checked
     * @param files    the number of different files
     * @param bytes    their bytes
     * @param findings sentences about damaged and missing files, each with the backups that need them; empty if all is well
     * @param foreign  files in the directory that belong to no backup
     */
    public record Result(int backups, int files, long bytes, List<String> findings, List<String> foreign) {
        public Result {
            findings = List.copyOf(findings);
            foreign = List.copyOf(foreign);
        }
    }

    /**
     * Checks backups.
     *
     * @param id   the backup, or null for all
     * @param done receives the bytes that were read
     * @throws BackupException if the directory cannot be read, or has no such backup
     */
    public static Result check(BackupDirectory directory, @Nullable String id, Pace pace, LongConsumer done)
            throws BackupException {
        List<String> findings = new ArrayList<>();
        List<Manifest> manifests = new ArrayList<>();
        Set<String> used = new HashSet<>();
        boolean unknown = false;
        for (BackupDirectory.Entry entry : directory.list()) {
            Manifest manifest = entry.manifest();
            if (manifest != null) {
                manifest.stores().forEach(store -> store.files().forEach(file -> used.add(file.sha256())));
            }
            if (id != null && !id.equals(entry.id())) {
                unknown |= manifest == null;
                continue;
            }
            if (manifest == null) {
                unknown = true;
                findings.add("Backup " + entry.id() + ": " + entry.trouble());
            } else {
                manifests.add(manifest);
            }
        }
        if (id != null && manifests.isEmpty() && findings.isEmpty()) {
            directory.read(id); // fails with the reason
        }
        Set<String> checked = new HashSet<>();
        Set<String> found = new TreeSet<>();
        long bytes = 0;
        for (Manifest manifest : manifests) {
            for (Manifest.Store store : manifest.stores()) {
                for (Manifest.File file : store.files()) {
                    if (checked.add(file.sha256() + " " + file.bytes())) {
                        bytes += file.bytes();
                        String finding = find(directory.files(), file, pace, done);
                        if (finding != null) {
                            found.add(finding + " Needed by: " + neededBy(manifests, file.sha256()) + ".");
                        }
                    }
                }
            }
        }
        findings.addAll(found);
        return new Result(
                manifests.size(), checked.size(), bytes, findings, foreign(directory, used, unknown || id != null));
    }

    private static @Nullable String find(ContentFiles files, Manifest.File file, Pace pace, LongConsumer done) {
        try {
            files.check(file, pace, done);
            return null;
        } catch (BackupException e) {
            return e.getMessage();
        } catch (IOException e) {
            return "Damaged: " + file.sha256() + ", the content of " + file.name() + ", cannot be read (" + e + ").";
        }
    }

    private static String neededBy(List<Manifest> manifests, String sha256) {
        List<String> ids = manifests.stream()
                .filter(manifest -> manifest.stores().stream()
                        .anyMatch(store -> store.files().stream()
                                .anyMatch(file -> file.sha256().equals(sha256))))
                .map(Manifest::id)
                .toList();
        return ids.size() <= 3
                ? String.join(", ", ids)
                : String.join(", ", ids.subList(0, 3)) + " and " + (ids.size() - 3) + " more";
    }

    /** @param partial whether the files of some backups are unknown, so that a file without an owner may be theirs */
    private static List<String> foreign(BackupDirectory directory, Set<String> used, boolean partial)
            throws BackupException {
        List<String> foreign = new ArrayList<>(directory.foreign());
        try {
            for (String name : directory.files().names()) {
                boolean ours =
                        ContentFiles.isPart(name) || Manifest.isChecksum(name) && (partial || used.contains(name));
                if (!ours) {
                    foreign.add("files/" + name);
                }
            }
        } catch (IOException e) {
            throw new BackupException(directory.path() + ": Cannot read the files of backups (" + e + ").", e);
        }
        return foreign;
    }
}
