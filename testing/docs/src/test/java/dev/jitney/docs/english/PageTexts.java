package dev.jitney.docs.english;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the passages of a Markdown page: paragraphs, headings, items of lists and cells of tables. Code is not text: a
 * fenced block is left out, code in a line counts as one word.
 */
final class PageTexts {
    private static final Pattern FENCE = Pattern.compile(" *```.*");
    private static final Pattern HEADING = Pattern.compile("#+ +(.*)");
    private static final Pattern ITEM = Pattern.compile(" *(?:[-*]|\\d+\\.) +(.*)");
    private static final Pattern ROW = Pattern.compile(" *\\|(.*)\\| *");
    private static final Pattern RULER = Pattern.compile("[ |:-]*-[ |:-]*");
    private static final Pattern CODE = Pattern.compile("(`+)(?:.*?)\\1");
    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)\\](?:\\([^)]*\\)|\\[[^\\]]*\\])");
    private static final Pattern TAG = Pattern.compile("<[^>]*>");
    private static final Pattern ESCAPED_BAR = Pattern.compile("\\\\\\|");

    private final String file;
    private final TextKind kind;
    private final List<Passage> passages = new ArrayList<>();
    private final StringBuilder open = new StringBuilder();
    private int openLine;

    private PageTexts(String file, TextKind kind) {
        this.file = file;
        this.kind = kind;
    }

    static List<Passage> of(String file, String content) {
        boolean forUsers = file.equals("README.md")
                || file.equals("docs/README.md")
                || file.startsWith("docs/guides/")
                || file.startsWith("docs/reference/");
        PageTexts texts = new PageTexts(file, forUsers ? TextKind.USER_PAGE : TextKind.PROJECT_PAGE);
        texts.read(content.lines().toList());
        return texts.passages;
    }

    private void read(List<String> lines) {
        boolean fenced = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (FENCE.matcher(line).matches()) {
                close();
                fenced = !fenced;
            } else if (!fenced) {
                line(i + 1, line);
            }
        }
        close();
    }

    private void line(int number, String line) {
        Matcher heading = HEADING.matcher(line);
        Matcher item = ITEM.matcher(line);
        Matcher row = ROW.matcher(line);
        if (line.isBlank() || RULER.matcher(line).matches()) {
            close();
        } else if (heading.matches()) {
            close();
            add(number, heading.group(1));
        } else if (row.matches()) {
            close();
            for (String cell : ESCAPED_BAR.matcher(row.group(1)).replaceAll("/").split("\\|")) {
                add(number, cell);
            }
        } else if (item.matches()) {
            close();
            append(number, item.group(1));
        } else {
            append(number, line);
        }
    }

    private void append(int number, String line) {
        if (open.isEmpty()) {
            openLine = number;
        }
        open.append(line).append(' ');
    }

    private void close() {
        if (!open.isEmpty()) {
            add(openLine, open.toString());
            open.setLength(0);
        }
    }

    private void add(int number, String markdown) {
        String text = CODE.matcher(markdown).replaceAll("_");
        text = LINK.matcher(text).replaceAll("$1");
        text = TAG.matcher(text)
                .replaceAll(" ")
                .replace("*", "")
                .replaceAll("\\s+", " ")
                .trim();
        if (!text.isEmpty()) {
            passages.add(new Passage(file, number, kind, text));
        }
    }
}
