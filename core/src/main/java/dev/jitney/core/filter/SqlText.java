package dev.jitney.core.filter;

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

    /**
     * Creates a parser of filters or actions.
     *
     * @param what "filter" or "action", for messages
     */
    SqlText(String what, SyntaxLimits limits) {
        this.what = what;
        this.limits = limits;
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

    /** Returns an exception with the expected and the found token and the position. */
    SyntaxException refusal(Token at, String expected) {
        return refusal(at, expected, found(at));
    }

    SyntaxException refusal(Token at, String expected, String found) {
        return new SyntaxException("Expected " + expected + " at line " + at.getLine() + ", column "
                + (at.getCharPositionInLine() + 1) + " of the SQL " + what + ", but got " + found + ".");
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

    private static String describe(IntervalSet expected) {
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
            add(words, expected, SqlRuleParser.IN, "IN, LIKE");
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
