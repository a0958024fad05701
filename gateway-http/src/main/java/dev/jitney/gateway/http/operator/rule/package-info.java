/**
 * The rules of subscriptions in the operator API. Read {@link dev.jitney.gateway.http.operator.rule.RuleDocument}, the form of rules in
 * JSON, and then {@link dev.jitney.gateway.http.operator.rule.RuleRequests}.
 */
@NullMarked
package dev.jitney.gateway.http.operator.rule;

import org.jspecify.annotations.NullMarked;
