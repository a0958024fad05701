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
 * The file {@code results.jsonl}. Each line is an object: first a setting, then its runs and failures, then perhaps the
 * next setting. Each run is written when it ends, so that an interrupted comparison keeps its measurements.
 */
public final class ResultsFile {
    private static final String NAME = "results.jsonl";

    private final Path file;
    private final ObjectMapper json = new ObjectMapper();

    /**
     * @param directory directory of the file, which need not exist
     */
    public ResultsFile(Path directory) {
        this.file = directory.resolve(NAME);
    }

    /** One line of the file. Exactly one of the three fields is set. */
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
     * Reads the whole file.
     *
     * @throws IOException if the file does not exist or is not such a file
     */
    public Results read() throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("Expected results in " + file
                    + ", but nothing was measured there. Run the command without --report-only first.");
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
                throw new IOException("Expected a setting, a run or a failure in line " + number + " of " + file
                        + ", but got something else.");
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
