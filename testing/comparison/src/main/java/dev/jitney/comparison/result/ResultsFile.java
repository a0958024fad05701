package dev.jitney.comparison.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code results.jsonl}: one object a line, first the setting, then the runs that were made in it or failed, then
 * perhaps the next setting. Each run is written when it is over, so that what was measured survives a comparison that is broken off.
 */
public final class ResultsFile {
    private static final String NAME = "results.jsonl";

    private final Path file;
    private final ObjectMapper json = new ObjectMapper();

    /** @param directory where it is, or will be */
    public ResultsFile(Path directory) {
        this.file = directory.resolve(NAME);
    }

    /** One line of the file: one of the three is there. */
    private record Line(
            @Nullable Setting setting,
            @Nullable Run run,
            @Nullable Failure failure) {}

    public void append(Setting setting) throws IOException {
        append(new Line(setting, null, null));
    }

    public void append(Run run) throws IOException {
        append(new Line(null, run, null));
    }

    public void append(Failure failure) throws IOException {
        append(new Line(null, null, failure));
    }

    private void append(Line line) throws IOException {
        Files.writeString(
                file, json.writeValueAsString(line) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /**
     * Everything in it.
     *
     * @throws IOException if it is not there or is not such a file
     */
    public Results read() throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("Expected results in " + file + ", but nothing was measured there.");
        }
        List<Results.Chapter> chapters = new ArrayList<>();
        int number = 0;
        for (String text : Files.readAllLines(file)) {
            number++;
            Line line = parse(text, number);
            if (line.setting() != null) {
                chapters.add(new Results.Chapter(line.setting(), new ArrayList<>(), new ArrayList<>()));
            } else if (line.run() != null && !chapters.isEmpty()) {
                chapters.get(chapters.size() - 1).runs().add(line.run());
            } else if (line.failure() != null && !chapters.isEmpty()) {
                chapters.get(chapters.size() - 1).failures().add(line.failure());
            } else {
                throw new IOException(
                        "Expected a setting, or a run or failure of one, in line " + number + " of " + file + ".");
            }
        }
        return new Results(chapters);
    }

    private Line parse(String text, int number) throws IOException {
        try {
            return json.readValue(text, Line.class);
        } catch (JsonProcessingException e) {
            throw new IOException("Line " + number + " of " + file + ": " + e.getOriginalMessage(), e);
        }
    }
}
