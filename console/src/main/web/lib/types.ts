export interface SessionInfo {
  version: string;
  loggedIn: boolean;
  publicKey: boolean;
  namespace?: string;
  keyName?: string;
  rights?: string[];
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

export interface Group {
  reason?: string;
  description?: string;
  subject?: string;
  count: number;
  first: string;
  last: string;
  sample: string;
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
