package dev.jitney.docs.english;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Divides passages into sentences. */
final class Sentences {
    /** A full stop, question or exclamation mark, what closes behind it, and a blank before something that can begin a sentence. */
    private static final Pattern END =
            Pattern.compile("(?<=[\\p{L}\\p{N}\\p{Pe}\"'%`_])[.?!][)\"']?\\s+(?=[\\p{Lu}\\p{N}\"'(`_-])");

    private static final Pattern ABBREVIATION = Pattern.compile("(?:e\\.g|i\\.e|etc|vs|cf|No|approx)\\.?$");

    private Sentences() {}

    static List<String> of(String passage) {
        List<String> sentences = new ArrayList<>();
        Matcher end = END.matcher(passage);
        int start = 0;
        while (end.find()) {
            if (!ABBREVIATION.matcher(passage.substring(start, end.start())).find()) {
                sentences.add(passage.substring(start, end.end()).trim());
                start = end.end();
            }
        }
        String last = passage.substring(start).trim();
        if (!last.isEmpty()) {
            sentences.add(last);
        }
        return sentences;
    }
}
