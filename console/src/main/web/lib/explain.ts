import { address, operator, query } from './api';
import type { Correlation, SqlText } from './rules';
import type { Value } from './types';

export type Result = 'matched' | 'notMatched' | 'unknown' | 'failed' | 'notEvaluated';

export interface ExplainedRule {
  rule: string;
  filter?: SqlText | Correlation;
  action?: SqlText;
  result: Result;
  failure?: string;
  /** The properties that the filter has read. A missing one is null. */
  properties?: Record<string, Value>;
  changes?: { property: string; before: Value; after: Value }[];
}

export interface Forward {
  to: string;
  waits?: string;
  failure?: { destination: string; deadLetterReason?: string; deadLetterErrorDescription?: string };
  explanation?: Explanation;
  explained?: false;
  message?: string;
}

export interface Copy {
  changedBy?: string;
  destination: string;
  timeToLive: number | null;
  expiresAt?: string;
  deadLetterReason?: string;
  deadLetterErrorDescription?: string;
  forwardDeadLetteredMessagesTo?: string;
  forward?: Forward;
}

export interface OfSubscription {
  subscription: string;
  status: string | null;
  rules: ExplainedRule[];
  rulesNotShown: number;
  copies: Copy[];
}

export interface Explanation {
  entity: string;
  kind: 'queue' | 'topic' | 'subscription';
  accepted: boolean;
  refusal?: { status: number; message: string };
  messageId: string;
  sizeInBytes: number;
  maxMessageSizeInBytes: number;
  duplicateOf?: string;
  scheduledEnqueueTime?: string;
  partition?: number;
  partitionIsFixed?: boolean;
  subscriptions?: OfSubscription[];
  copies?: Copy[];
  complete?: boolean;
  next?: string | null;
  warning?: string;
}

export function explain(entity: string, message: Record<string, unknown>, after: string | undefined, signal: AbortSignal): Promise<Explanation> {
  return operator('POST', `${address(entity, '')}/explain` + query({ after }), message, signal);
}

/** Returns the entity to which the messages of a queue, topic or subscription are sent. */
export function sendsTo(path: string): string {
  return path.replace(/\/subscriptions\/[^/]*$/i, '');
}

export const isSubscription = (path: string): boolean => sendsTo(path) !== path;

/** The member of a message that an error of the server names, or empty. */
export function memberOf(message: string): string {
  return /member '([A-Za-z]+)/.exec(message)?.[1] ?? '';
}
