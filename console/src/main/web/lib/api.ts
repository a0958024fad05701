import type { ActResults, AuditPage, Entity, GroupPage, Job, JobOrder, Message, MessagePage, Overview, Queue } from './types';

const BASE = '/$operator/v1';

/** The most messages that one request changes. */
export const BATCH = 250;

export class ApiError extends Error {
  /** @param fields the messages of the fields that are wrong, by their names */
  constructor(readonly status: number, message: string, readonly fields: Record<string, string> = {}) {
    super(message);
  }
}

let whenLoggedOut: () => void = () => {};

/** Sets what happens when the session has ended. */
export function onLoggedOut(action: () => void): void {
  whenLoggedOut = action;
}

export async function request<T>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (failure) {
    if (signal?.aborted) {
      throw failure;
    }
    throw new ApiError(0, 'The server does not answer. Check that it runs, and that this machine can reach it.');
  }
  const text = await response.text();
  let document: { error?: { message?: string; fields?: { field: string; message: string }[] } } | undefined;
  try {
    document = text ? JSON.parse(text) : undefined;
  } catch {
    document = undefined;
  }
  if (!response.ok) {
    const message = document?.error?.message?.replace(/^SubCode=\d+\. /, '') ?? `The server answered with status ${response.status}.`;
    throw new ApiError(response.status, message, Object.fromEntries((document?.error?.fields ?? []).map((each) => [each.field, each.message])));
  }
  return document as T;
}

/** Sends a request to the operator API. */
export async function operator<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  try {
    return await request<T>(method, BASE + path, body, signal);
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 401 && /session|signature|expired|token/i.test(failure.message)) {
      whenLoggedOut();
    }
    throw failure;
  }
}

/** Returns the path of a queue of an entity. */
export function pathOf(entity: string, queue: Queue): string {
  return entity + (queue === 'deadLetter' ? '/$DeadLetterQueue' : queue === 'transferDeadLetter' ? '/$Transfer/$DeadLetterQueue' : '');
}

/** Returns the address of the messages of an entity: one segment of the path. */
export function address(entity: string, queue: Queue): string {
  return '/entities/' + encodeURIComponent(pathOf(entity, queue));
}

/** Writes the parameters of a request that have a value. */
export function query(parameters: Record<string, string | number | undefined>): string {
  const fields = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return fields.length === 0 ? '' : '?' + fields.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
}

export function entities(after: string | null, signal: AbortSignal): Promise<{ entities: Entity[]; total: number; next: string | null }> {
  return operator('GET', '/entities' + query({ max: 500, after: after ?? undefined }), undefined, signal);
}

/** Returns all entities, page by page. `part` gets those of the pages so far. */
export async function allEntities(signal: AbortSignal, part: (found: Entity[]) => void = () => {}): Promise<Entity[]> {
  const found: Entity[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof entities>> = await entities(after, signal);
    found.push(...page.entities);
    after = page.next;
    part(found);
  } while (after !== null);
  return found;
}

export function entity(path: string, signal?: AbortSignal): Promise<Entity> {
  return operator('GET', '/entities/' + encodeURIComponent(path), undefined, signal);
}

export interface Search {
  filter?: string | undefined;
  /** The id of a group. */
  group?: string | undefined;
  state?: string | undefined;
  from?: string | undefined;
  max?: number;
  body?: number;
}

export function messages(of: string, search: Search, signal?: AbortSignal): Promise<MessagePage> {
  return operator('GET', of + '/messages' + query({ ...search }), undefined, signal);
}

export function groups(of: string, search: Search, signal: AbortSignal): Promise<GroupPage> {
  return operator('GET', of + '/groups' + query({ ...search }), undefined, signal);
}

/** Writes the note on a group of dead letters, or deletes it if the text is empty. */
export function note(of: string, group: string, text: string): Promise<unknown> {
  const path = `${of}/groups/${group}/note`;
  return text ? operator('PUT', path, { text }) : operator('DELETE', path);
}

export function message(of: string, sequenceNumber: string, signal: AbortSignal): Promise<Message> {
  return operator('GET', `${of}/messages/${sequenceNumber}`, undefined, signal);
}

export function act(of: string, action: string, sequenceNumbers: string[], members: Record<string, unknown>): Promise<ActResults> {
  return operator('POST', `${of}/messages/${action}`, { sequenceNumbers, ...members });
}

export function edit(
  of: string,
  sequenceNumber: string,
  changes: Record<string, unknown>,
  options: { to?: string; keepOriginal?: string },
): Promise<ActResults> {
  return operator('POST', `${of}/messages/${sequenceNumber}/edit` + query(options), changes);
}

export function order(of: string, job: JobOrder): Promise<Job> {
  return operator('POST', of + '/jobs', job);
}

export function jobs(signal: AbortSignal): Promise<{ jobs: Job[] }> {
  return operator('GET', '/jobs', undefined, signal);
}

export function job(id: string, signal?: AbortSignal): Promise<Job> {
  return operator('GET', '/jobs/' + encodeURIComponent(id), undefined, signal);
}

export function control(id: string, change: 'pause' | 'resume' | 'cancel'): Promise<Job> {
  return operator('POST', `/jobs/${id}/${change}`);
}

export interface AuditSearch {
  entity?: string | undefined;
  action?: string | undefined;
  key?: string | undefined;
  result?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  before?: string | undefined;
}

export function audit(search: AuditSearch, signal: AbortSignal): Promise<AuditPage> {
  return operator('GET', '/audit' + query({ ...search }), undefined, signal);
}

export function overview(signal: AbortSignal): Promise<Overview> {
  return operator('GET', '/overview', undefined, signal);
}
