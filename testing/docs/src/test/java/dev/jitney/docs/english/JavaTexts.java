package dev.jitney.docs.english;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the passages of a Java file: comments, and strings that are sentences. Strings that are joined with {@code +} are
 * one passage, in which a value counts as one word.
 */
final class JavaTexts {
    /** An inline tag; of a link only the name without its package is text. */
    private static final Pattern TAG = Pattern.compile("\\{@\\w+\\s+(?:(?:[a-z]\\w*\\.)+(?=[A-Z]))?([^{}]*)\\}");

    private static final Pattern MARKUP = Pattern.compile("</?[a-z][^>]*>");
    private static final Pattern BREAK =
            Pattern.compile("<(?:p|li|ul|ol|tr|td|th|table|caption|pre|dd|dt|h\\d)\\b[^>]*>");
    private static final Pattern BLOCK_TAG =
            Pattern.compile("(?m)^@(?:param +<?\\w+>?|return|throws +[\\w.]+|see|since|author|version)\\b");
    private static final Pattern PREFORMATTED = Pattern.compile("(?s)<pre>.*?</pre>|\\{@snippet.*?\\n\\s*\\}");
    private static final Pattern SENTENCE = Pattern.compile("\\p{L}[\\p{L}'-]*(?:,|;|:)?(?: +[^ ]+)* +\\p{L}{2,}.*");
    private static final Pattern JOIN = Pattern.compile("\\s*\\+\\s*");

    private final String file;
    private final String source;
    private final boolean main;
    private final List<Passage> passages = new ArrayList<>();
    private int at;

    private JavaTexts(String file, String source) {
        this.file = file;
        this.source = source;
        main = file.contains("/src/main/") && !file.startsWith("testing/");
    }

    static List<Passage> of(String file, String source) {
        JavaTexts texts = new JavaTexts(file, source);
        texts.read();
        return texts.passages;
    }

    private void read() {
        int statement = 0;
        int helpDepth = 0;
        int depth = 0;
        while (at < source.length()) {
            char c = source.charAt(at);
            if (source.startsWith("/**", at) && !source.startsWith("/**/", at)) {
                javadoc();
            } else if (source.startsWith("/*", at)) {
                int start = at;
                at = source.indexOf("*/", at) + 2;
                add(start, TextKind.COMMENT, source.substring(start + 2, at - 2).replaceAll("(?m)^\\s*\\* ?", ""));
            } else if (source.startsWith("//", at)) {
                lineComments();
            } else if (c == '"') {
                strings(statement, helpDepth > 0);
            } else if (c == '\'') {
                at += source.charAt(at + 1) == '\\' ? 2 : 1;
                at = source.indexOf('\'', at + (source.charAt(at) == '\'' ? 1 : 0)) + 1;
            } else {
                if (c == '(') {
                    depth++;
                    if (helpDepth == 0 && isHelp(statement)) {
                        helpDepth = depth;
                    }
                } else if (c == ')') {
                    if (depth == helpDepth) {
                        helpDepth = 0;
                    }
                    depth--;
                }
                at++;
                if (c == ';' || c == '{' && helpDepth == 0 || c == '}' && helpDepth == 0) {
                    statement = at;
                }
            }
        }
    }

    private boolean isHelp(int statement) {
        String before = source.substring(statement, at);
        int annotation = before.lastIndexOf('@');
        return annotation >= 0
                && before.substring(annotation).matches("@(?:CommandLine\\.)?(?:Command|Option|Parameters|ArgGroup)");
    }

    private void javadoc() {
        int start = at;
        at = source.indexOf("*/", at + 3) + 2;
        String text = source.substring(start + 3, at - 2).replaceAll("(?m)^\\s*\\* ?", "");
        text = PREFORMATTED.matcher(text).replaceAll("\n\n");
        text = BREAK.matcher(text).replaceAll("\n\n");
        StringBuilder parts = new StringBuilder();
        Matcher tags = BLOCK_TAG.matcher(text.strip());
        while (tags.find()) {
            tags.appendReplacement(parts, "\n\n\u0001");
        }
        tags.appendTail(parts);
        int line = start;
        boolean first = true;
        for (String part : parts.toString().split("\\n\\s*\\n")) {
            boolean ofTag = part.startsWith("\u0001");
            String plain = part.replace("\u0001", "");
            for (int i = 0; i < 3; i++) {
                plain = TAG.matcher(plain).replaceAll("$1");
            }
            plain = MARKUP.matcher(plain).replaceAll(" ");
            // Only the beginning of a comment is a first sentence; the rest is read as comments are.
            add(line, first && !ofTag ? TextKind.JAVADOC : TextKind.COMMENT, plain);
            first &= plain.isBlank();
        }
    }

    private void lineComments() {
        int start = at;
        StringBuilder text = new StringBuilder();
        while (source.startsWith("//", at)) {
            int end = source.indexOf('\n', at);
            end = end < 0 ? source.length() : end;
            text.append(source, at + 2, end).append(' ');
            at = end;
            int next = at;
            while (next < source.length() && Character.isWhitespace(source.charAt(next))) {
                next++;
            }
            if (source.startsWith("//", next)
                    && source.substring(at, next).chars().filter(c -> c == '\n').count() == 1) {
                at = next;
            } else {
                break;
            }
        }
        add(start, TextKind.COMMENT, text.toString());
    }

    private void strings(int statement, boolean help) {
        int start = at;
        StringBuilder text = new StringBuilder(string());
        while (true) {
            Matcher join = JOIN.matcher(source).region(at, source.length());
            if (!join.lookingAt()) {
                break;
            }
            int end = join.end();
            if (source.charAt(end) == '"') {
                at = end;
                text.append(string());
                continue;
            }
            int value = endOfValue(end);
            Matcher next = JOIN.matcher(source).region(value, source.length());
            text.append(" _ ");
            if (!next.lookingAt() || source.charAt(next.end()) != '"') {
                at = end;
                break;
            }
            at = next.end();
            text.append(string());
        }
        String before = source.substring(statement, start);
        if (before.contains("@DisplayName")) {
            add(start, TextKind.TEST_NAME, text.toString());
        } else if (main && SENTENCE.matcher(text).matches()) {
            TextKind kind = help ? TextKind.HELP : before.contains(".log(") ? TextKind.LOG : TextKind.MESSAGE;
            add(start, kind, text.toString());
        }
    }

    /** Returns the end of a value between two strings: the end of a call or of a name. */
    private int endOfValue(int from) {
        int open = 0;
        int i = from;
        for (; i < source.length(); i++) {
            char c = source.charAt(i);
            if (c == '"' && open == 0) {
                return i;
            }
            if (c == '(' || c == '[') {
                open++;
            } else if (c == ')' || c == ']') {
                if (open == 0) {
                    return i;
                }
                open--;
            } else if (open == 0 && (c == '+' || c == ';' || c == ',' || c == '?' || c == ':')) {
                return i;
            }
        }
        return i;
    }

    /** Returns the content of the string at this place, and moves behind it. */
    private String string() {
        if (source.startsWith("\"\"\"", at)) {
            int end = source.indexOf("\"\"\"", at + 3);
            String block = source.substring(at + 3, end);
            at = end + 3;
            return block;
        }
        StringBuilder content = new StringBuilder();
        at++;
        while (source.charAt(at) != '"') {
            if (source.charAt(at) == '\\') {
                at++;
                content.append("nrt".indexOf(source.charAt(at)) >= 0 ? ' ' : source.charAt(at));
            } else {
                content.append(source.charAt(at));
            }
            at++;
        }
        at++;
        return content.toString();
    }

    private void add(int start, TextKind kind, String text) {
        String plain = text.replaceAll("\\s+", " ").trim();
        if (!plain.isEmpty()) {
            int line = 1
                    + (int) source.substring(0, start)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            passages.add(new Passage(file, line, kind, plain));
        }
    }
}
