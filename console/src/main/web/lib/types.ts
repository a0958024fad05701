import type { Act } from './acts';

/** The roles of people, the weakest first. */
export type Role = 'viewer' | 'reader' | 'operator' | 'admin';

export interface SessionInfo {
  version: string;
  loggedIn: boolean;
  publicKey: boolean;
  namespace?: string;
  keyName?: string;
  rights?: string[];
  /** The role in the operator API: that of a user, or the one that the rights of a key correspond to. */
  role?: Role;
  /** The name of the identity provider, if users can log in with one. */
  provider?: string;
  /** The address that ends the session at the identity provider. */
  endOfSession?: string;
  expiresAt?: string;
  entity?: string;
}

export interface Counts {
  active: number;
  locked: number;
  deferred: number;
  scheduled: number;
  deadLetter: number;
  transferDeadLetter: number;
  transfer: number;
}

export interface Entity {
  path: string;
  kind: 'queue' | 'topic' | 'subscription';
  status: string;
  availability: string;
  requiresSession: boolean;
  counts: Counts;
  sizeInBytes: number;
  receivers: number;
  oldestEnqueuedTime?: string;
  incomingPerSecond: Rate;
  outgoingPerSecond: Rate;
  forwardTo?: string;
  forwardDeadLetteredMessagesTo?: string;
  /** The messages since the server started. */
  incomingMessages?: number;
  outgoingMessages?: number;
  /** The number of rules of a subscription. */
  rules?: number;
}

/** Messages per second, null before the first sample. */
export interface Rate {
  oneMinute: number | null;
  fiveMinutes: number | null;
}

export interface Store {
  store: number;
  state: string;
  acceptsMessages: boolean;
  usedBytes?: number;
  freeBytes?: number;
  bytesUntilRefused?: number;
}

/** An entity that needs attention, with the figure that is the reason. */
export interface Troubled {
  path: string;
  kind: Entity['kind'];
  growth?: number;
  active?: number;
  oldestAgeSeconds?: number;
  forwardsTo?: string;
}

export interface TroubledList {
  count: number;
  entities: Troubled[];
  olderThanSeconds?: number;
}

export interface Overview {
  namespace: string;
  entities: { queues: number; topics: number; subscriptions: number };
  counts: Counts;
  sizeInBytes: number;
  receivers: number;
  incomingPerSecond: Rate;
  outgoingPerSecond: Rate;
  connections: number;
  stores: Store[];
  attention: Record<'deadLettersGrow' | 'noReceiver' | 'oldMessages' | 'forwardLoops', TroubledList>;
}

export type JobState = 'waiting' | 'counting' | 'ready' | 'running' | 'canary' | 'paused' | 'done' | 'canceled' | 'failed';

export interface JobOrder {
  operation: Act;
  filter?: string;
  /** The id of a group. */
  group?: string;
  state?: string;
  dryRun?: boolean;
  messagesPerSecond?: number;
  canaryMessages?: number;
  canarySeconds?: number;
  note?: string;
  to?: string;
  [member: string]: unknown;
}

export interface Job {
  id: string;
  entity: string;
  order: JobOrder;
  state: JobState;
  reason: string | null;
  key: string;
  client: string;
  createdAt: string;
  endedAt: string | null;
  total: number | null;
  scanned: number;
  done: number;
  refused: number;
  filterFailed: number;
  refusals: { message: string; count: number; sequenceNumber: string }[];
  canary?: 'open' | 'passed' | 'failed';
}

export interface AuditEntry {
  id: string;
  time: string;
  action: string;
  result: string;
  key: string;
  client: string;
  entity: string;
  rule: string;
  details: string;
}

export interface AuditPage {
  entries: AuditEntry[];
  next: string | null;
}

export interface TypedValue {
  type: string;
  value: Value;
  descriptor?: Value;
}

export type Value = string | number | boolean | null | TypedValue | Value[];

export type Body = string | { type: 'data'; base64: string } | { type: 'value' | 'sequence'; value: Value };

export interface Message {
  sequenceNumber: string;
  enqueuedSequenceNumber: string;
  state: string;
  lockedUntil?: string;
  enqueuedTime?: string;
  expiresAt?: string;
  scheduledEnqueueTime?: string;
  deliveryCount: number;
  sizeInBytes: number;
  deadLetterSource?: string;
  messageId?: string;
  subject?: string;
  contentType?: string;
  contentEncoding?: string;
  correlationId?: string;
  sessionId?: string;
  partitionKey?: string;
  to?: string;
  replyTo?: string;
  replyToSessionId?: string;
  userId?: string;
  deadLetterReason?: string;
  deadLetterErrorDescription?: string;
  applicationProperties?: Record<string, Value>;
  annotations?: Record<string, Value>;
  body?: Body;
  bodySizeInBytes?: number;
  bodyTruncated?: boolean;
  contentHidden?: boolean;
  bodyMasked?: boolean;
  unreadable?: string;
}

/** The end of a walk over messages. */
export interface Walk {
  scanned: number;
  total: number;
  next: string | null;
  failed?: number;
  failure?: string;
}

export interface MessagePage extends Walk {
  messages: Message[];
}

export interface Note {
  text: string;
  author: string;
  time: string;
}

export interface Group {
  id: string;
  reason?: string;
  description?: string;
  subject?: string;
  count: number;
  first: string;
  last: string;
  sample: string;
  /** Messages that were enqueued within the last hour. */
  lastHour: number;
  hourBefore: number;
  note?: Note;
}

export interface GroupPage extends Walk {
  groups: Group[];
  others?: number;
}

export interface ActResult {
  sequenceNumber: string;
  done: boolean;
  status?: number;
  message?: string;
  newSequenceNumber?: string;
}

export interface ActResults {
  results: ActResult[];
  done: number;
  refused: number;
}

export type Queue = '' | 'deadLetter' | 'transferDeadLetter';
