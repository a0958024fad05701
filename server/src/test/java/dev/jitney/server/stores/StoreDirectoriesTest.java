package dev.jitney.server.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("PART-1, PART-9: messaging stores in several directories, and all errors of these")
class StoreDirectoriesTest {
    @TempDir
    Path temporary;

    private Path data;
    private Path a;
    private Path b;

    @BeforeEach
    void makeDirectories() throws Exception {
        data = Files.createDirectory(temporary.resolve("data"));
        a = temporary.resolve("a");
        b = temporary.resolve("b");
    }

    private List<Path> start(Integer count, Path... directories) throws StoresException {
        StoreDirectories prepared = StoreDirectories.prepare(data, new StorePlaces(count, Arrays.asList(directories)));
        prepared.opened();
        return prepared.paths();
    }

    private void assertRefused(boolean option, List<String> words, Integer count, Path... directories) {
        assertThatThrownBy(() -> start(count, directories))
                .isInstanceOfSatisfying(
                        StoresException.class, e -> assertThat(e.isOption()).isEqualTo(option))
                .satisfies(e -> words.forEach(word -> assertThat(e).hasMessageContaining(word)));
    }

    @Test
    @DisplayName("without directories all stores are in the data directory")
    void inTheDataDirectory() throws Exception {
        assertThat(start(null)).containsExactly(data.resolve("store-0"));
        assertThat(start(1)).containsExactly(data.resolve("store-0"));
    }

    @Test
    @DisplayName("one store per directory, or several in turn; the same at every start")
    void inTurn() throws Exception {
        assertThat(start(null, a, b)).containsExactly(a.resolve("store-0"), b.resolve("store-1"));
        assertThat(start(2, a, b)).containsExactly(a.resolve("store-0"), b.resolve("store-1"));
        data = Files.createDirectory(temporary.resolve("data2"));
        Path c = temporary.resolve("c");
        List<Path> four = start(4, c, data);
        assertThat(four)
                .containsExactly(
                        c.resolve("store-0"), data.resolve("store-1"), c.resolve("store-2"), data.resolve("store-3"));
        assertThat(start(4, c, data)).isEqualTo(four);
    }

    @Test
    @DisplayName("only a set that was never complete is created; a complete set never again")
    void newAndOld() throws Exception {
        StorePlaces asked = new StorePlaces(2, List.of());
        StoreDirectories first = StoreDirectories.prepare(data, asked);
        assertThat(first.isNew()).isTrue();
        StoreDirectories afterCrash = StoreDirectories.prepare(data, asked);
        assertThat(afterCrash.isNew()).isTrue();
        afterCrash.opened();
        assertThat(StoreDirectories.prepare(data, asked).isNew()).isFalse();
    }

    @Test
    @DisplayName("another number of stores is refused with the right number")
    void otherCount() throws Exception {
        start(2, a, b);
        assertRefused(true, List.of("--stores 3", "created with 2 stores", "Use --stores 2"), 3, a, b);
        assertRefused(true, List.of("--data-dir " + data, "created with 2 stores", "Use --stores 2"), null);
        assertRefused(
                true,
                List.of("--store-dirs", "created with 2 stores", "Use at most 2 directories"),
                null,
                a,
                b,
                temporary.resolve("c"));
    }

    @Test
    @DisplayName("directories in another order are refused with the right order")
    void swapped() throws Exception {
        start(null, a, b);
        assertRefused(
                true,
                List.of(
                        "--store-dirs " + b + "," + a,
                        "it is in " + a.resolve("store-0"),
                        "Use --store-dirs " + a + "," + b),
                null,
                b,
                a);
        assertThat(start(null, a, b)).hasSize(2);
    }

    @Test
    @DisplayName("a missing store is unavailable and not recreated; in a new place it is refused")
    void missing() throws Exception {
        start(null, a, b);
        Path away = Files.move(b, temporary.resolve("away"));
        StoreDirectories directories = StoreDirectories.prepare(data, new StorePlaces(null, List.of(a, b)));
        directories.opened();
        assertThat(directories.away(0)).isNull();
        assertThat(directories.away(1))
                .hasMessageContaining("store 1 is missing")
                .hasMessageContaining(b.resolve("store-1").toString())
                .hasMessageContaining("Mount its disk");
        assertThat(b).doesNotExist();
        Files.createDirectories(b.resolve("store-1"));
        assertThatThrownBy(() -> directories.lookFor(1)).hasMessageContaining("store 1 is missing");
        assertThat(b.resolve("store-1")).isEmptyDirectory();
        Path typo = temporary.resolve("typo");
        assertRefused(false, List.of("store 1 is missing", "last in " + b.resolve("store-1")), null, a, typo);
        Files.copy(a.resolve("store-0/jitney.store"), b.resolve("store-1/jitney.store"));
        assertThatThrownBy(() -> directories.lookFor(1)).hasMessageContaining("swapped");
        Files.copy(
                away.resolve("store-1/jitney.store"),
                b.resolve("store-1/jitney.store"),
                StandardCopyOption.REPLACE_EXISTING);
        directories.lookFor(1);
        assertThat(directories.away(1)).isNull();
        Files.delete(b.resolve("store-1/jitney.store"));
        assertThat(start(null, a, away))
                .as("mounted elsewhere")
                .containsExactly(a.resolve("store-0"), away.resolve("store-1"));
    }

    @Test
    @DisplayName("a data directory without its --store-dirs is refused instead of getting empty stores")
    void forgottenOption() throws Exception {
        start(null, a, b);
        assertRefused(false, List.of("--data-dir", "store 0 is missing", "last in " + a.resolve("store-0")), 2);
    }

    @Test
    @DisplayName("a store of another data directory is refused, for new stores and for existing ones")
    void foreign() throws Exception {
        start(null, a, b);
        Path first = data;
        data = Files.createDirectory(temporary.resolve("data2"));
        assertRefused(
                false, List.of(a.resolve("store-0").toString(), "another data directory", "--data-dir"), null, a, b);
        Path c = temporary.resolve("c");
        Path d = temporary.resolve("d");
        start(null, c, d);
        data = first;
        assertRefused(
                false,
                List.of(
                        d.resolve("store-1").toString(),
                        "store 1 of the data directory " + first,
                        "of another data directory"),
                null,
                a,
                d);
    }

    @Test
    @DisplayName("a store directory that was renamed to another's place is refused")
    void renamed() throws Exception {
        start(2);
        Files.move(data.resolve("store-0"), data.resolve("x"));
        Files.move(data.resolve("store-1"), data.resolve("store-0"));
        Files.move(data.resolve("x"), data.resolve("store-1"));
        assertRefused(false, List.of(data.resolve("store-0").toString(), "it is store 1", "rename it to store-1"), 2);
    }

    @Test
    @DisplayName("existing files in the place of a new store stay unchanged")
    void notEmpty() throws Exception {
        Path theirs = Files.createDirectories(a.resolve("store-0")).resolve("photo.jpg");
        Files.writeString(theirs, "x");
        assertRefused(false, List.of(a.resolve("store-0").toString(), "Expected an empty directory"), null, a, b);
        Files.delete(theirs);
        assertThat(start(null, a, b)).hasSize(2);
    }

    @Test
    @DisplayName("stores of a version without sets are taken over in place")
    void older() throws Exception {
        for (int i = 0; i < 2; i++) {
            Files.createDirectories(data.resolve("store-" + i).resolve("db"));
        }
        assertRefused(true, List.of("--stores 1", "created with 2 stores", "Use --stores 2"), 1);
        assertRefused(true, List.of("it is in " + data.resolve("store-0"), "Start once without"), 2, a, b);
        assertThat(start(2)).containsExactly(data.resolve("store-0"), data.resolve("store-1"));
        Files.createDirectories(b);
        Files.move(data.resolve("store-1"), b.resolve("store-1"));
        assertThat(start(2, data, b)).as("moved to another disk").contains(b.resolve("store-1"));
    }

    @Test
    @DisplayName("an incomplete start continues with the same directories, or is discarded")
    void halfMade() throws Exception {
        Files.createSymbolicLink(b, temporary.resolve("nowhere"));
        assertRefused(false, List.of("--store-dirs " + a + "," + b, "Cannot read or create"), null, a, b);
        Path c = temporary.resolve("c");
        assertRefused(
                true, List.of("An earlier start began", a.resolve("store-0").toString(), "stores.properties"), null, c);
        Files.delete(b);
        assertThat(start(null, a, b)).hasSize(2);
    }

    @Test
    @DisplayName("corrupt files and files of a newer version are reported by name")
    void damaged() throws Exception {
        start(null, a, b);
        Path identity = b.resolve("store-1/jitney.store");
        String whole = Files.readString(identity);
        Files.writeString(identity, "version=1\nset=x\nindex=1\n");
        assertRefused(false, List.of(identity + " is corrupt"), null, a, b);
        Files.writeString(identity, whole.replace("version=1", "version=2"));
        assertRefused(false, List.of(identity.toString(), "newer version"), null, a, b);
        Files.writeString(identity, whole);
        Files.writeString(data.resolve("stores.properties"), "version=1\nset=\\u00zz\n");
        assertRefused(false, List.of("stores.properties is corrupt"), null, a, b);
    }
}
