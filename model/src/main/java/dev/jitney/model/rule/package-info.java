/**
 * The rules of subscriptions as clients create and read them: a filter, which selects messages, and an action, which changes
 * the copies of the subscription (semantics chapter 15).
 *
 * <p>Read in this order: {@link dev.jitney.model.rule.Rule}, {@link dev.jitney.model.rule.RuleDescription},
 * {@link dev.jitney.model.rule.RuleFilter}, {@link dev.jitney.model.rule.SqlRuleAction},
 * {@link dev.jitney.model.rule.RuleValue}.
 */
@NullMarked
package dev.jitney.model.rule;

import org.jspecify.annotations.NullMarked;
