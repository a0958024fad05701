import { operator, query } from './api';
import type { Entity } from './types';

export type Kind = Entity['kind'];
export type SettingValue = string | number | boolean | null;
export type Settings = Record<string, SettingValue>;

/** The description of a setting, from which its field is made. */
export interface SettingField {
  name: string;
  type: 'true or false' | 'duration' | 'number' | 'text' | 'entity' | 'status';
  meaning: string;
  fixed: boolean;
  default: SettingValue;
  min?: string | number;
  max?: string | number;
  values?: string[];
}

export interface EntitySettings {
  path: string;
  kind: Kind;
  settings: Settings;
  fields: SettingField[];
  createdAt: string;
  updatedAt: string;
}

export interface Deletion {
  path: string;
  kind: Kind;
  messages: number;
  deadLetters: number;
  sizeInBytes: number;
  subscriptions: number;
  rules: number;
  accessRules: number;
  deleted: boolean;
}

export interface AccessRule {
  accessRule: string;
  rights: string[];
}

export interface AccessKeys extends AccessRule {
  primaryKey: string;
  secondaryKey?: string;
  primaryConnectionString: string | null;
  secondaryConnectionString?: string | null;
}

export interface NamespaceInfo {
  namespace: string;
  version: string;
  tier: string;
  configured: boolean;
  partitionsByDefault: boolean;
  createdAt: string;
  accessRulesChangedAt: string;
  limits: Record<string, number | string>;
}

export interface ClientLink {
  direction: 'send' | 'receive';
  address: string;
  locksHeld?: number;
}

export interface Client {
  connection: string;
  containerId: string;
  address: string;
  product: string;
  version: string;
  platform: string;
  since: string;
  linkCount: number;
  links: ClientLink[];
}

function at(entity: string): string {
  return '/entities/' + encodeURIComponent(entity);
}

/** Returns the path of the access rules of an entity, or of the namespace for an empty path. */
function rulesAt(entity: string): string {
  return (entity ? at(entity) : '') + '/accessRules';
}

export function fieldsOfKinds(signal: AbortSignal): Promise<Record<Kind, SettingField[]>> {
  return operator('GET', '/settings', undefined, signal);
}

export function settings(entity: string, signal: AbortSignal): Promise<EntitySettings> {
  return operator('GET', at(entity) + '/settings', undefined, signal);
}

export function create(entity: string, kind: Kind, changed: Settings, rule?: unknown): Promise<EntitySettings> {
  return operator('PUT', at(entity), { kind, ...changed, ...(rule === undefined ? {} : { rule }) });
}

export function changeSettings(entity: string, changed: Settings): Promise<EntitySettings> {
  return operator('PATCH', at(entity) + '/settings', changed);
}

export function remove(entity: string, dryRun: boolean): Promise<Deletion> {
  return operator('DELETE', at(entity) + query({ dryRun: dryRun ? 'true' : undefined }));
}

export async function accessRules(entity: string, signal: AbortSignal): Promise<AccessRule[]> {
  return (await operator<{ accessRules: AccessRule[] }>('GET', rulesAt(entity), undefined, signal)).accessRules;
}

export function keysOf(entity: string, rule: string): Promise<AccessKeys> {
  return operator('POST', `${rulesAt(entity)}/${encodeURIComponent(rule)}/keys`);
}

export function putAccessRule(entity: string, rule: string, rights: string[]): Promise<AccessRule> {
  return operator('PUT', `${rulesAt(entity)}/${encodeURIComponent(rule)}`, { rights });
}

export function renewKey(entity: string, rule: string, key: 'primary' | 'secondary'): Promise<AccessRule> {
  return operator('POST', `${rulesAt(entity)}/${encodeURIComponent(rule)}/renew` + query({ key }));
}

export function removeAccessRule(entity: string, rule: string): Promise<unknown> {
  return operator('DELETE', `${rulesAt(entity)}/${encodeURIComponent(rule)}`);
}

export function namespaceInfo(signal: AbortSignal): Promise<NamespaceInfo> {
  return operator('GET', '/namespace', undefined, signal);
}

export async function clients(entity: string, signal: AbortSignal): Promise<{ clients: Client[]; next: string | null }> {
  return operator('GET', at(entity) + '/clients' + query({ max: 100 }), undefined, signal);
}

/** Returns the entities with the most receivers. */
export async function mostReceivers(max: number, signal: AbortSignal): Promise<Entity[]> {
  const page = await operator<{ entities: Entity[] }>('GET', '/entities' + query({ sort: 'receivers', max }), undefined, signal);
  return page.entities.filter((each) => each.receivers > 0);
}

// --- rules of a subscription, for its clone ---

export interface Rule {
  rule: string;
  filter: unknown;
  action?: unknown;
}

export async function rulesOf(entity: string, signal?: AbortSignal): Promise<Rule[]> {
  const rules: Rule[] = [];
  let after: string | undefined;
  do {
    const page: { rules: Rule[]; next: string | null } = await operator('GET', at(entity) + '/rules' + query({ max: 500, after }), undefined, signal);
    rules.push(...page.rules.map(({ rule, filter, action }) => (action === undefined ? { rule, filter } : { rule, filter, action })));
    after = page.next ?? undefined;
  } while (after);
  return rules;
}

export function putRule(entity: string, { rule, ...members }: Rule): Promise<unknown> {
  return operator('PUT', `${at(entity)}/rules/${encodeURIComponent(rule)}`, members);
}
