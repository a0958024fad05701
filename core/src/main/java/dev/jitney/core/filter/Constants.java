package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import org.antlr.v4.runtime.Token;

/** The constants in a text (FILTER-13, 14). */
final class Constants {
    private Constants() {}

    static Value of(SqlText text, Token token) {
        String written = token.getText();
        return switch (token.getType()) {
            case SqlRuleParser.INTEGER -> integer(text, token, "");
            case SqlRuleParser.DECIMAL, SqlRuleParser.APPROXIMATE -> fraction(text, token);
            case SqlRuleParser.TRUE -> Value.TRUE;
            case SqlRuleParser.FALSE -> Value.FALSE;
            case SqlRuleParser.NULL -> Value.NULL;
            default -> Value.ofString(written.substring(1, written.length() - 1).replace("''", "'"));
        };
    }

    /** Returns an integer with its sign. */
    static Value integer(SqlText text, Token digits, String sign) {
        try {
            return Value.ofLong(Long.parseLong(sign + digits.getText()));
        } catch (NumberFormatException tooLarge) {
            throw text.refusal(digits, "an integer from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
        }
    }

    private static Value fraction(SqlText text, Token token) {
        double number = Double.parseDouble(token.getText());
        if (Double.isInfinite(number)) {
            throw text.refusal(token, "a number of at most 1.7976931348623157E308");
        }
        return Value.ofDouble(number);
    }
}
