package dev.jitney.core.filter;

import dev.jitney.core.filter.Node.Constant;
import dev.jitney.core.filter.SqlRuleParser.AtomContext;
import dev.jitney.core.filter.SqlRuleParser.ComparisonTailContext;
import dev.jitney.core.filter.SqlRuleParser.ConditionContext;
import dev.jitney.core.filter.SqlRuleParser.ConjunctionContext;
import dev.jitney.core.filter.SqlRuleParser.ConstantAtomContext;
import dev.jitney.core.filter.SqlRuleParser.ContainsContext;
import dev.jitney.core.filter.SqlRuleParser.ExistsTestContext;
import dev.jitney.core.filter.SqlRuleParser.GroupAtomContext;
import dev.jitney.core.filter.SqlRuleParser.InListContext;
import dev.jitney.core.filter.SqlRuleParser.IsNullTailContext;
import dev.jitney.core.filter.SqlRuleParser.LikeContext;
import dev.jitney.core.filter.SqlRuleParser.MembershipTailContext;
import dev.jitney.core.filter.SqlRuleParser.NegationContext;
import dev.jitney.core.filter.SqlRuleParser.ParameterAtomContext;
import dev.jitney.core.filter.SqlRuleParser.ProductContext;
import dev.jitney.core.filter.SqlRuleParser.ReferenceAtomContext;
import dev.jitney.core.filter.SqlRuleParser.SignedContext;
import dev.jitney.core.filter.SqlRuleParser.SumContext;
import dev.jitney.core.filter.SqlRuleParser.SumTestContext;
import dev.jitney.core.filter.SqlRuleParser.TailContext;
import dev.jitney.core.filter.SqlRuleParser.TestContext;
import dev.jitney.core.filter.value.Arithmetic;
import dev.jitney.core.filter.value.Comparison;
import dev.jitney.core.filter.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/**
 * A compiler of one parse tree into nodes. It refuses invalid texts that the grammar allows, with their position, and
 * counts nodes and depth (FILTER-2, 3, 23).
 */
final class SqlCompiler {
    private final SqlText text;
    private final SyntaxLimits limits;
    private final Parameters parameters;
    private final References references;
    private int nodes;

    SqlCompiler(SqlText text, SyntaxLimits limits, Parameters parameters) {
        this.text = text;
        this.limits = limits;
        this.parameters = parameters;
        this.references = new References(text);
    }

    /** Counts an operand or operator at nesting level {@code depth}, where the outermost is 1. */
    void count(ParserRuleContext at, int depth) {
        nodes++;
        if (nodes > limits.nodes()) {
            throw text.refusal(at.getStart(), "at most " + limits.nodes() + " operands and operators", "more");
        }
        if (depth > limits.depth()) {
            throw text.refusal(at.getStart(), "at most " + limits.depth() + " nested operators", "more");
        }
    }

    /** Returns the number of operands and operators counted so far. */
    int nodes() {
        return nodes;
    }

    /** Compiles a condition: alternatives joined by OR. */
    Node condition(ConditionContext context, int depth) {
        List<ConjunctionContext> parts = context.conjunction();
        if (parts.size() == 1) {
            return conjunction(parts.get(0), depth);
        }
        Node[] alternatives = new Node[parts.size()];
        for (int i = 0; i < alternatives.length; i++) {
            if (i > 0) {
                count(parts.get(i), depth);
            }
            alternatives[i] = conjunction(parts.get(i), depth + 1);
        }
        return Node.folded(new Conditions.Or(alternatives), alternatives);
    }

    private Node conjunction(ConjunctionContext context, int depth) {
        List<NegationContext> parts = context.negation();
        if (parts.size() == 1) {
            return negation(parts.get(0), depth);
        }
        Node[] conditions = new Node[parts.size()];
        for (int i = 0; i < conditions.length; i++) {
            if (i > 0) {
                count(parts.get(i), depth);
            }
            conditions[i] = negation(parts.get(i), depth + 1);
        }
        return Node.folded(new Conditions.And(conditions), conditions);
    }

    private Node negation(NegationContext context, int depth) {
        int negations = context.NOT().size();
        for (int i = 0; i < negations; i++) {
            count(context, depth + i);
        }
        Node condition = test(context.test(), depth + negations);
        return negations % 2 == 0 ? condition : Node.folded(new Conditions.Not(condition), condition);
    }

    private Node test(TestContext context, int depth) {
        if (context instanceof ExistsTestContext exists) {
            count(context, depth);
            return references.exists(exists.reference(), this, depth + 1);
        }
        SumTestContext test = (SumTestContext) context;
        if (test.tail() != null) {
            return tail(test.sum(), test.tail(), depth);
        }
        if (loneAtom(test.sum()) instanceof GroupAtomContext group) {
            return condition(group.condition(), depth);
        }
        Node expression = sum(test.sum(), depth);
        return Node.folded(new Conditions.Truth(expression), expression);
    }

    private Node tail(SumContext left, TailContext tail, int depth) {
        count(tail, depth);
        if (tail instanceof MembershipTailContext context && context.contains() != null) {
            return contains(left, context.contains(), context.NOT() != null, depth);
        }
        Node operand = sum(left, depth + 1);
        if (tail instanceof ComparisonTailContext context) {
            Node right = sum(context.sum(), depth + 1);
            Token operator = context.comparison().getStart();
            return Node.folded(new Conditions.Compare(comparison(operator.getType()), operand, right), operand, right);
        }
        if (tail instanceof IsNullTailContext context) {
            if (!References.isProperty(operand)) {
                throw text.refusal(left.getStart(), "a property before IS NULL");
            }
            return new Conditions.IsNull(operand, context.NOT() != null);
        }
        MembershipTailContext context = (MembershipTailContext) tail;
        boolean negated = context.NOT() != null;
        return context.inList() != null
                ? inList(operand, context.inList(), negated, depth)
                : like(operand, context.like(), negated, depth);
    }

    private Node inList(Node left, InListContext context, boolean negated, int depth) {
        Node[] elements = sums(context.sum(), depth + 1);
        Node[] operands = new Node[elements.length + 1];
        operands[0] = left;
        System.arraycopy(elements, 0, operands, 1, elements.length);
        return Node.folded(new Conditions.In(left, elements, negated), operands);
    }

    private Node like(Node left, LikeContext context, boolean negated, int depth) {
        Node pattern = sum(context.sum(0), depth + 1);
        Node escape = context.ESCAPE() == null ? null : sum(context.sum(1), depth + 1);
        Value escaping = escape instanceof Constant constant ? constant.value() : null;
        if (escaping != null && !escaping.isError() && !LikePattern.isEscape(escaping)) {
            throw text.refusal(context.sum(1).getStart(), "one character after ESCAPE");
        }
        LikePattern compiled = null;
        if (pattern instanceof Constant constant
                && constant.value().kind().isText()
                && (escape == null || escaping != null && !escaping.isError())) {
            compiled = LikePattern.of(constant.value().text(), escaping == null ? null : escaping.text());
        }
        return new Conditions.Like(left, pattern, escape, compiled, negated);
    }

    private Node contains(SumContext left, ContainsContext context, boolean negated, int depth) {
        if (!(loneAtom(left) instanceof ReferenceAtomContext atom) || !References.isBody(atom.reference())) {
            throw text.refusal(left.getStart(), "body before CONTAINS");
        }
        count(left, depth + 1);
        Node sought = sum(context.sum(), depth + 1);
        if (sought instanceof Constant constant
                && constant.value().kind() == Value.Kind.STRING
                && !constant.value().text().isEmpty()) {
            text.readsWholeBody();
            return BodyTests.Contains.of(constant.value().text(), negated);
        }
        throw text.refusal(context.sum().getStart(), "a string with characters after CONTAINS");
    }

    private static Comparison comparison(int operator) {
        return switch (operator) {
            case SqlRuleParser.EQUAL -> Comparison.EQUAL;
            case SqlRuleParser.NOT_EQUAL -> Comparison.NOT_EQUAL;
            case SqlRuleParser.GREATER -> Comparison.GREATER;
            case SqlRuleParser.GREATER_OR_EQUAL -> Comparison.GREATER_OR_EQUAL;
            case SqlRuleParser.LESS -> Comparison.LESS;
            default -> Comparison.LESS_OR_EQUAL;
        };
    }

    /** Compiles several expressions, for lists. */
    Node[] sums(List<SumContext> contexts, int depth) {
        Node[] values = new Node[contexts.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = sum(contexts.get(i), depth);
        }
        return values;
    }

    /** Compiles an expression. */
    Node sum(SumContext context, int depth) {
        if (context.product().size() == 1) {
            return product(context.product(0), depth);
        }
        Node[] operands = new Node[context.product().size()];
        for (int i = 0; i < operands.length; i++) {
            if (i > 0) {
                count(context.product(i), depth);
            }
            operands[i] = product(context.product(i), depth + 1);
        }
        return Node.folded(new Expressions.Chain(operands, operators(context)), operands);
    }

    private Node product(ProductContext context, int depth) {
        if (context.signed().size() == 1) {
            return signed(context.signed(0), depth);
        }
        Node[] operands = new Node[context.signed().size()];
        for (int i = 0; i < operands.length; i++) {
            if (i > 0) {
                count(context.signed(i), depth);
            }
            operands[i] = signed(context.signed(i), depth + 1);
        }
        return Node.folded(new Expressions.Chain(operands, operators(context)), operands);
    }

    private static Arithmetic[] operators(ParserRuleContext chain) {
        List<Arithmetic> operators = new ArrayList<>();
        for (int i = 1; i < chain.getChildCount(); i += 2) {
            operators.add(
                    switch (((TerminalNode) chain.getChild(i)).getSymbol().getType()) {
                        case SqlRuleParser.PLUS -> Arithmetic.ADD;
                        case SqlRuleParser.MINUS -> Arithmetic.SUBTRACT;
                        case SqlRuleParser.STAR -> Arithmetic.MULTIPLY;
                        case SqlRuleParser.SLASH -> Arithmetic.DIVIDE;
                        default -> Arithmetic.REMAINDER;
                    });
        }
        return operators.toArray(Arithmetic[]::new);
    }

    private Node signed(SignedContext context, int depth) {
        boolean minus = context.MINUS() != null;
        if (minus && context.atom() instanceof ConstantAtomContext atom) {
            Token digits = atom.constant().getStart();
            if (digits.getType() == SqlRuleParser.INTEGER) { // FILTER-13: the smallest long has no positive counterpart
                count(context, depth);
                return new Constant(Constants.integer(text, digits, "-"));
            }
        }
        if (!minus && context.PLUS() == null) {
            return atom(context.atom(), depth);
        }
        count(context, depth);
        Node operand = atom(context.atom(), depth + 1);
        return Node.folded(minus ? new Expressions.Negated(operand) : new Expressions.Signed(operand), operand);
    }

    private Node atom(AtomContext context, int depth) {
        if (context instanceof GroupAtomContext group) {
            return sum(plainValue(group), depth);
        }
        count(context, depth);
        if (context instanceof ConstantAtomContext constant) {
            return new Constant(Constants.of(text, constant.constant().getStart()));
        }
        if (context instanceof ParameterAtomContext parameter) {
            Token name = parameter.PARAMETER().getSymbol();
            Value value = parameters.find(name.getText());
            if (value == null) {
                throw text.refusal(name, "a parameter with a value", "'" + name.getText() + "' without a value");
            }
            return new Constant(value);
        }
        return references.value(((ReferenceAtomContext) context).reference(), this, depth);
    }

    /** Returns the atom if it is the whole expression, or null. */
    static @Nullable AtomContext loneAtom(SumContext sum) {
        return sum.getChildCount() == 1
                        && sum.product(0).getChildCount() == 1
                        && sum.product(0).signed(0).getChildCount() == 1
                ? sum.product(0).signed(0).atom()
                : null;
    }

    /** Returns the content of parentheses that must contain a value. */
    private SumContext plainValue(GroupAtomContext group) {
        ConditionContext condition = group.condition();
        if (condition.getChildCount() == 1
                && condition.conjunction(0).getChildCount() == 1
                && condition.conjunction(0).negation(0).getChildCount() == 1
                && condition.conjunction(0).negation(0).test() instanceof SumTestContext test
                && test.tail() == null) {
            return test.sum();
        }
        throw text.refusal(group.getStart(), "a value", "a condition");
    }
}
