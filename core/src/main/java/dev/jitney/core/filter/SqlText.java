package dev.jitney.core.filter;

import dev.jitney.core.filter.body.JsonPath;
import dev.jitney.model.ClientText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.WritableToken;
import org.antlr.v4.runtime.misc.IntervalSet;

/**
 * A parser of the text of a filter or action, safe for untrusted texts.
 *
 * <p>It checks the length before reading and the nesting before parsing, so that the stack of the parser stays shallow.
 * The grammar needs one token of lookahead, so that the time is linear. Parsing ends at the first error, without
 * recovery.
 */
final class SqlText {
    private final String what;
    private final SyntaxLimits limits;
    private final boolean ofSearch;
    private final List<JsonPath> paths = new ArrayList<>();
    private boolean contains;

    /**
     * Creates a parser of the filters or actions of rules.
     *
     * @param what "filter" or "action", for messages
     */
    SqlText(String what, SyntaxLimits limits) {
        this(what, limits, false);
    }

    private SqlText(String what, SyntaxLimits limits, boolean ofSearch) {
        this.what = what;
        this.limits = limits;
        this.ofSearch = ofSearch;
    }

    /** Creates a parser of the filters of searches, which may read bodies. */
    static SqlText ofSearch(SyntaxLimits limits) {
        return new SqlText("filter", limits, true);
    }

    /** Returns whether the text may read bodies. */
    boolean isOfSearch() {
        return ofSearch;
    }

    /** Notes that the text searches the whole body. */
    void readsWholeBody() {
        contains = true;
    }

    /** Notes that the text reads a value of the body. */
    void readsBody(JsonPath path) {
        paths.add(path);
    }

    /** Returns the tests of the body that were compiled. */
    BodyReads bodyReads() {
        return contains || !paths.isEmpty() ? new BodyReads(contains, paths) : BodyReads.NONE;
    }

    /** Parses a text with the grammar rule that {@code rule} calls. */
    <T extends ParserRuleContext> T parse(String text, Function<SqlRuleParser, T> rule) {
        if (text.isEmpty() || text.length() > limits.characters()) {
            throw new SyntaxException("Expected an SQL " + what + " of 1 to " + limits.characters()
                    + " characters, but got " + text.length() + ".");
        }
        SqlRuleLexer lexer = new SqlRuleLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        tokens.fill();
        checkNesting(tokens.getTokens());
        if (!ofSearch) {
            removeWordsOfSearches(tokens.getTokens());
        }
        SqlRuleParser parser = new SqlRuleParser(tokens);
        parser.removeErrorListeners();
        parser.setErrorHandler(new FirstMistake());
        return rule.apply(parser);
    }

    private void checkNesting(List<Token> tokens) {
        int depth = 0;
        for (Token token : tokens) {
            if (token.getType() == SqlRuleParser.LEFT) {
                depth++;
                if (depth > limits.depth()) {
                    throw refusal(token, "at most " + limits.depth() + " nested parentheses");
                }
            } else if (token.getType() == SqlRuleParser.RIGHT) {
                depth--;
            }
        }
    }

    /** Makes the words of searches ordinary names, as they are in rules. */
    private static void removeWordsOfSearches(List<Token> tokens) {
        for (Token token : tokens) {
            if (token.getType() == SqlRuleParser.CONTAINS) {
                ((WritableToken) token).setType(SqlRuleParser.REGULAR);
            }
        }
    }

    /** Returns an exception with the expected and the found token and the position. */
    SyntaxException refusal(Token at, String expected) {
        return refusal(at, expected, found(at));
    }

    SyntaxException refusal(Token at, String expected, String found) {
        return refusal(at.getLine(), at.getCharPositionInLine(), expected, found);
    }

    private SyntaxException refusal(int line, int charactersBefore, String expected, String found) {
        return new SyntaxException("Expected " + expected + " at line " + line + ", column " + (charactersBefore + 1)
                + " of the SQL " + what + ", but got " + found + ".");
    }

    /**
     * Returns an exception with a position inside a string.
     *
     * @param index the index in the value of the string
     */
    SyntaxException refusalInside(Token string, int index, String expected) {
        String written = string.getText();
        int line = string.getLine();
        int column = string.getCharPositionInLine() + 1;
        int at = 1;
        for (int passed = 0; passed < index; passed++) {
            char character = written.charAt(at);
            int width = character == '\'' ? 2 : 1;
            at += width;
            if (character == '\n') {
                line++;
                column = 0;
            } else if (!Character.isLowSurrogate(character)) {
                column += width;
            }
        }
        String found = at == written.length() - 1
                ? "the end of the string"
                : "'" + ClientText.abbreviate(Character.toString(written.codePointAt(at))) + "'";
        return refusal(line, column, expected, found);
    }

    private static String found(Token at) {
        return switch (at.getType()) {
            case Token.EOF -> "the end";
            case SqlRuleParser.UNCLOSED -> "a " + opened(at) + " that is not closed";
            case SqlRuleParser.RESERVED -> "the reserved word " + at.getText();
            default -> "'" + ClientText.abbreviate(at.getText()) + "'";
        };
    }

    private static String opened(Token at) {
        return at.getText().startsWith("'")
                ? "string"
                : "name in " + at.getText().charAt(0);
    }

    /** A strategy that ends parsing at the first unexpected token. */
    private final class FirstMistake extends DefaultErrorStrategy {
        @Override
        public void recover(Parser parser, RecognitionException problem) {
            throw mistake(parser);
        }

        @Override
        public Token recoverInline(Parser parser) {
            throw mistake(parser);
        }

        @Override
        public void sync(Parser parser) {}

        private SyntaxException mistake(Parser parser) {
            return refusal(parser.getCurrentToken(), describe(parser.getExpectedTokens()));
        }
    }

    private String describe(IntervalSet expected) {
        List<String> words = new ArrayList<>();
        if (expected.contains(SqlRuleParser.INTEGER)) {
            words.add("a value");
        } else if (expected.contains(SqlRuleParser.REGULAR)) {
            words.add("the name of a property");
        }
        add(words, expected, SqlRuleParser.EXISTS, "NOT, EXISTS");
        if (expected.contains(SqlRuleParser.INTEGER)) {
            add(words, expected, SqlRuleParser.RIGHT, "')'");
        } else {
            add(words, expected, SqlRuleParser.STAR, "an operator");
            add(words, expected, SqlRuleParser.LEFT, "'('");
            add(words, expected, SqlRuleParser.COMMA, "','");
            add(words, expected, SqlRuleParser.RIGHT, "')'");
            add(words, expected, SqlRuleParser.NULL, "NULL");
            add(words, expected, SqlRuleParser.IN, ofSearch ? "IN, LIKE, CONTAINS" : "IN, LIKE");
            add(words, expected, SqlRuleParser.EQUAL, "'='");
            add(words, expected, SqlRuleParser.SET, "SET, REMOVE");
        }
        add(words, expected, Token.EOF, "an operator or the end");
        return String.join(" or ", words);
    }

    private static void add(List<String> words, IntervalSet expected, int token, String word) {
        if (expected.contains(token)) {
            words.add(word);
        }
    }
}
