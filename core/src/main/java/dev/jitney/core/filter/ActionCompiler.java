package dev.jitney.core.filter;

import dev.jitney.core.filter.SqlRuleParser.ActionContext;
import dev.jitney.core.filter.SqlRuleParser.ReferenceContext;
import dev.jitney.core.filter.SqlRuleParser.RemoveStatementContext;
import dev.jitney.core.filter.SqlRuleParser.SetStatementContext;
import dev.jitney.core.filter.SqlRuleParser.StatementContext;
import dev.jitney.core.filter.property.SystemProperty;
import java.util.ArrayList;
import java.util.List;

/** A compiler of the parse tree of one action into statements (RULE-8, 9). */
final class ActionCompiler {
    private final SqlText text;
    private final SyntaxLimits limits;
    private final SqlCompiler expressions;
    private final References references;

    ActionCompiler(SqlText text, SyntaxLimits limits, Parameters parameters) {
        this.text = text;
        this.limits = limits;
        this.expressions = new SqlCompiler(text, limits, parameters);
        this.references = new References(text);
    }

    CompiledAction compile(ActionContext action) {
        List<Statement> statements = new ArrayList<>();
        for (StatementContext statement : action.statement()) {
            if (statements.size() == limits.statements()) {
                throw text.refusal(statement.getStart(), "at most " + limits.statements() + " statements", "one more");
            }
            expressions.count(statement, 1);
            statements.add(
                    statement instanceof SetStatementContext set
                            ? set(set)
                            : remove(((RemoveStatementContext) statement).reference()));
        }
        return new CompiledAction(statements, expressions.nodes());
    }

    private Statement set(SetStatementContext context) {
        ReferenceContext target = context.reference();
        references.requireProperty(target, "a property after SET");
        expressions.count(target, 2);
        SystemProperty property = references.system(target);
        if (property != null && !property.isSettable()) {
            throw text.refusal(target.getStart(), "a property that can be set", "sys." + property.text());
        }
        Node expression = expressions.sum(context.sum(), 2);
        return property != null
                ? new Statement.SetSystem(property, expression)
                : new Statement.SetUser(references.user(target), expression);
    }

    private Statement remove(ReferenceContext target) {
        references.requireProperty(target, "a property after REMOVE");
        expressions.count(target, 2);
        SystemProperty property = references.system(target);
        if (property != null) {
            throw text.refusal(target.getStart(), "a user property after REMOVE", "sys." + property.text());
        }
        return new Statement.RemoveUser(references.user(target));
    }
}
