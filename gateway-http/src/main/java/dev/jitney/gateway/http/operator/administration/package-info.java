/**
 * Settings and access rules of entities, and access rules of the namespace.
 *
 * <p>Read in this order: {@code Administration} checks the rights and starts an operation. {@code Change} is a change in progress, with its
 * answer and its entry in the audit log. {@code EntityRequests} has the operations on entities, and {@code AccessRuleRequests} those on
 * access rules. {@code EntitySettings} reads and writes settings as JSON, from the table of properties that all formats share. {@code
 * SettingsOfKinds} describes this table, and {@code ConnectionString} formats a connection string.
 */
@NullMarked
package dev.jitney.gateway.http.operator.administration;

import org.jspecify.annotations.NullMarked;
