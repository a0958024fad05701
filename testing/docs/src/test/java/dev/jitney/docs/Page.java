package dev.jitney.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page of the project.
 *
 * @param path the path relative to the top of the tree, with slashes
 * @param text the whole text
 */
record Page(String path, String text) {
    private static final Pattern FENCE = Pattern.compile("( *)```(.*)");
    private static final Pattern NOT_RUN = Pattern.compile(" *<!-- not run: (.+) -->");
    private static final List<String> AT_THE_TOP =
            List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md");

    /** Returns the top directory. Maven runs tests in the directory of their module. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("jitney"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    static Page of(String path) {
        try {
            return new Page(path, Files.readString(root().resolve(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all pages, which are at the top of the tree and under {@code docs}, in the order of their names. */
    static List<Page> all() {
        try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
            List<String> paths = docs.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> root().relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
            return Stream.concat(AT_THE_TOP.stream(), paths.stream())
                    .map(Page::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Block> allBlocks(String... languages) {
        List<String> wanted = List.of(languages);
        return all().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> wanted.contains(block.language()));
    }

    /** Returns the fenced blocks in order. */
    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                continue;
            }
            String indentation = fence.group(1);
            int start = i;
            StringBuilder inside = new StringBuilder();
            for (i++; !lines.get(i).equals(indentation + "```"); i++) {
                String line = lines.get(i);
                if (i + 1 == lines.size()) {
                    throw new AssertionError(
                            path + ":" + (start + 1) + ": Expected a closing fence, but the page ends.");
                }
                inside.append(line.startsWith(indentation) ? line.substring(indentation.length()) : line)
                        .append('\n');
            }
            blocks.add(new Block(path, start + 1, fence.group(2), inside.toString(), reason(lines, start)));
        }
        return blocks;
    }

    private static @Nullable String reason(List<String> lines, int fence) {
        if (fence == 0) {
            return null;
        }
        Matcher comment = NOT_RUN.matcher(lines.get(fence - 1));
        return comment.matches() ? comment.group(1) : null;
    }

    /** Returns the page without its fenced blocks. */
    String prose() {
        return Pattern.compile("(?ms)^( *)```.*?^\\1```$").matcher(text).replaceAll("");
    }
}
