import { address, groups, operator, query } from './api';
import { text } from './sql';
import type { Body } from './types';

export interface Session {
  sessionId: string;
  messageCount: number;
  deferredMessageCount: number;
  firstSequenceNumber?: string;
  oldestEnqueuedTime?: string;
  stateSizeInBytes?: number;
  stateChangedAt?: string;
  locked: boolean;
  lockedUntil?: string;
  holder?: string;
}

export interface SessionPage {
  sessions: Session[];
  scanned: number;
  next: string | null;
  unavailablePartitions?: number;
}

export interface SessionState {
  stateSizeInBytes?: number;
  stateChangedAt?: string;
  /** Null for a session without state. */
  base64: string | null;
  text?: string;
}

/** A part of a resubmission. */
export interface Resubmitted {
  done: number;
  refused: number;
  scanned: number;
  next: string | null;
  /** The reason if a message was refused. The messages after it are not sent, so that they keep their order. */
  stopped?: string;
}

export interface DeadLetterCount {
  count: number;
  /** False if the server has not looked at all dead letters. */
  complete: boolean;
}

export function sessions(entity: string, contains: string, after: string | undefined, signal: AbortSignal): Promise<SessionPage> {
  return operator('GET', `${address(entity, '')}/sessions` + query({ contains, after, max: 100 }), undefined, signal);
}

function one(entity: string, session: string): string {
  return `${address(entity, '')}/sessions/${encodeURIComponent(session)}`;
}

export function session(entity: string, id: string, signal: AbortSignal): Promise<Session> {
  return operator('GET', one(entity, id), undefined, signal);
}

export function sessionState(entity: string, id: string, signal: AbortSignal): Promise<SessionState> {
  return operator('GET', one(entity, id) + '/state', undefined, signal);
}

export function clearState(entity: string, id: string, unlock: boolean): Promise<unknown> {
  return operator('DELETE', one(entity, id) + '/state' + query({ unlock: unlock ? 'true' : undefined }));
}

export function unlockSession(entity: string, id: string): Promise<unknown> {
  return operator('POST', one(entity, id) + '/unlock');
}

export function resubmitSession(
  entity: string,
  id: string,
  options: { target: string; newMessageId: boolean },
  after: string | undefined,
  signal: AbortSignal,
): Promise<Resubmitted> {
  const path = `${address(entity, 'deadLetter')}/sessions/${encodeURIComponent(id)}/resubmit`;
  return operator('POST', path + query({ target: options.target, newMessageId: String(options.newMessageId), after }), undefined, signal);
}

/** Returns the filter for the messages of a session. */
export function ofSession(id: string): string {
  return `sys.SessionId = ${text(id)}`;
}

/** Counts the dead letters of a session, as far as one request gets. */
export async function deadLettersOf(entity: string, id: string, signal: AbortSignal): Promise<DeadLetterCount> {
  const page = await groups(address(entity, 'deadLetter'), { filter: ofSession(id) }, signal);
  return { count: page.groups.reduce((sum, each) => sum + each.count, page.others ?? 0), complete: page.next === null };
}

/** Returns a state in the form of a body. */
export function asBody(state: SessionState): Body | undefined {
  return state.base64 === null ? undefined : (state.text ?? { type: 'data', base64: state.base64 });
}
