import { address, operator, query } from './api';
import type { TypedRow } from './values';
import { truth } from './values';

/** A value of a rule. Values other than text and booleans have a type of XML Schema. */
export type RuleValue = string | boolean | { type: string; value: string };

export type SqlText = string | { sql: string; parameters?: Record<string, RuleValue> };

/** The texts and the application properties that must all be equal. */
export interface Correlation {
  applicationProperties?: Record<string, RuleValue>;
  [field: string]: string | Record<string, RuleValue> | undefined;
}

export interface Rule {
  rule: string;
  filter: SqlText | Correlation;
  action?: SqlText;
  createdAt?: string;
}

interface RulePage {
  rules: Rule[];
  total: number;
  next: string | null;
}

export const CORRELATION_FIELDS = [
  ['correlationId', 'Correlation id'],
  ['messageId', 'Message id'],
  ['subject', 'Subject'],
  ['to', 'To'],
  ['replyTo', 'Reply to'],
  ['sessionId', 'Session id'],
  ['replyToSessionId', 'Reply to session'],
  ['contentType', 'Content type'],
] as const;

export const RULE_TYPES = [
  'string', 'int', 'long', 'double', 'boolean', 'dateTime', 'guid', 'decimal', 'duration', 'short', 'byte', 'float',
  'unsignedByte', 'unsignedShort', 'unsignedInt', 'unsignedLong', 'char', 'anyURI', 'base64Binary',
];

/** The filter texts of the rules that take all messages, and none. */
export const ALL = '1=1';
export const NONE = '1=0';

/** The rules that the console reads, which is the most that a topic has. */
export const READ_MAX = 2_000;

const PAGE = 500;

/** Returns the rules of a subscription, and the number of all. */
export async function rules(subscription: string, signal: AbortSignal): Promise<{ rules: Rule[]; total: number }> {
  const found: Rule[] = [];
  let page: RulePage;
  let after: string | undefined;
  do {
    page = await operator<RulePage>('GET', `${address(subscription, '')}/rules` + query({ after, max: PAGE }), undefined, signal);
    found.push(...page.rules);
    after = page.next ?? undefined;
  } while (after !== undefined && found.length < READ_MAX);
  return { rules: found, total: page.total };
}

export function putRule(subscription: string, rule: Rule): Promise<unknown> {
  const { rule: name, filter, action } = rule;
  return operator('PUT', `${address(subscription, '')}/rules/${encodeURIComponent(name)}`, action === undefined ? { filter } : { filter, action });
}

export function deleteRule(subscription: string, name: string): Promise<unknown> {
  return operator('DELETE', `${address(subscription, '')}/rules/${encodeURIComponent(name)}`);
}

/** Returns the text of an SQL filter or action, or null for a correlation filter. */
export function sqlOf(of: SqlText | Correlation): string | null {
  return typeof of === 'string' ? of : typeof of.sql === 'string' ? of.sql : null;
}

export function parametersOf(of: SqlText | Correlation | undefined): Record<string, RuleValue> {
  return typeof of === 'object' && typeof of.parameters === 'object' ? of.parameters : {};
}

/** Returns an SQL text with its parameters, in the shortest form. */
export function sqlText(sql: string, parameters: TypedRow[]): SqlText {
  const values = valuesOf(parameters);
  return Object.keys(values).length === 0 ? sql : { sql, parameters: values };
}

export function valuesOf(rows: TypedRow[]): Record<string, RuleValue> {
  return Object.fromEntries(rows.filter((each) => each.name !== '').map((each) => [each.name, valueOf(each)]));
}

function valueOf(row: TypedRow): RuleValue {
  const bool = row.type === 'boolean' ? truth(row.text) : null;
  return row.type === 'string' ? row.text : (bool ?? { type: row.type, value: row.text });
}

export function rowsOf(values: Record<string, RuleValue> | undefined): TypedRow[] {
  return Object.entries(values ?? {}).map(([name, value]) =>
    typeof value === 'object' ? { name, type: value.type, text: value.value } : { name, type: typeof value, text: String(value) },
  );
}

/** Returns a value as in SQL, with its type if it is not plain. */
export function shown(value: RuleValue): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : typeof value === 'boolean' ? String(value) : `${value.value} (${value.type})`;
}

/** Returns the conditions of a correlation filter. */
export function conditions(of: Correlation): [string, string][] {
  const found: [string, string][] = [];
  for (const [field, title] of CORRELATION_FIELDS) {
    const value = of[field];
    if (typeof value === 'string') {
      found.push([title, shown(value)]);
    }
  }
  return [...found, ...Object.entries(of.applicationProperties ?? {}).map(([name, value]): [string, string] => [name, shown(value)])];
}

export type RuleField = 'name' | 'filter' | 'action' | '';

/** Returns the field that an error of the server is about. */
export function fieldOf(message: string): RuleField {
  if (/member 'action|SQL action|the action/i.test(message)) {
    return 'action';
  }
  if (/member 'filter|SQL filter|the filter|correlation/i.test(message)) {
    return 'filter';
  }
  return /rule name|name of (a|the) rule/i.test(message) ? 'name' : '';
}
