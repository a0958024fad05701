import { operator } from './api';
import { base64Of, lineEnds, withLineEnds, withPlainLines, type LineEnds } from './body';
import { isoOf, NEVER, secondsOf } from './settings';
import type { Body, Message, Value } from './types';
import { typeOf, valueText } from './format';
import { NUMBERS, PROPERTY_TYPES, typed } from './values';

/** A message as the operator API takes it. Files of canned messages have the same form. */
export interface NewMessage {
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
  timeToLive?: number;
  scheduledEnqueueTime?: string;
  applicationProperties?: Record<string, Value>;
  body?: Body;
}

export interface Sent {
  sent: number;
  duplicates: number;
  sequenceNumbers: string[];
}

/** The fields of a form that are one line of text. */
export const TEXTS = [
  ['messageId', 'Message id'],
  ['subject', 'Subject'],
  ['contentType', 'Content type'],
  ['sessionId', 'Session id'],
  ['correlationId', 'Correlation id'],
  ['partitionKey', 'Partition key'],
  ['to', 'To'],
  ['replyTo', 'Reply to'],
  ['replyToSessionId', 'Reply to session id'],
] as const;

/** Returns whether the form can show a value of this type as one line of text. */
function isSimple(type: string): boolean {
  return PROPERTY_TYPES.includes(type) || NUMBERS.includes(type) || ['ulong', 'symbol', 'uri', 'char', 'datetime-offset'].includes(type);
}

export type BodyForm = 'json' | 'xml' | 'text' | 'base64' | 'value';

export interface PropertyRow {
  name: string;
  type: string;
  text: string;
  /** A value that the form cannot show as one line, which is sent as it is. */
  kept?: Value;
}

export interface SendForm {
  form: BodyForm;
  body: string;
  /** The ends of the lines of the body that the form began with. A body with several kinds is shown in base64. */
  ends: LineEnds;
  /** A body that is a value of AMQP, which is sent as it is. */
  kept: Body | null;
  texts: Record<string, string>;
  timeToLive: string;
  at: string;
  properties: PropertyRow[];
  contentEncoding: string;
}

export function emptyForm(): SendForm {
  return { form: 'json', body: '', ends: '\n', kept: null, texts: Object.fromEntries(TEXTS.map(([name]) => [name, ''])), timeToLive: '', at: '', properties: [], contentEncoding: '' };
}

/** The content types that belong to a form of the body. */
export const CONTENT_TYPES: Record<BodyForm, string> = { json: 'application/json', xml: 'application/xml', text: 'text/plain', base64: '', value: '' };

function formOf(message: NewMessage, text: string): BodyForm {
  const type = message.contentType ?? '';
  if (/json/i.test(type) || (!type && /^\s*[[{]/.test(text))) {
    return 'json';
  }
  return /xml/i.test(type) || (!type && /^\s*</.test(text)) ? 'xml' : type || text ? 'text' : 'json';
}

/** Returns the form for a message of a file or of an entity. */
export function formFrom(message: NewMessage): SendForm {
  const result = emptyForm();
  for (const [name] of TEXTS) {
    result.texts[name] = message[name] ?? '';
  }
  const body = message.body;
  if (body === undefined || typeof body === 'string') {
    result.ends = lineEnds(body ?? '');
    result.body = result.ends === 'mixed' ? base64Of(body ?? '') : withPlainLines(body ?? '');
    result.form = result.ends === 'mixed' ? 'base64' : formOf(message, result.body);
  } else if (body.type === 'data') {
    result.form = 'base64';
    result.body = body.base64;
  } else {
    result.form = 'value';
    result.kept = body;
  }
  result.contentEncoding = message.contentEncoding ?? '';
  result.timeToLive = message.timeToLive ? `${message.timeToLive / 1_000} s` : '';
  result.at = '';
  result.properties = Object.entries(message.applicationProperties ?? {}).map(([name, value]) => {
    const type = typeOf(value);
    return isSimple(type) ? { name, type, text: valueText(value) } : { name, type, text: valueText(value), kept: value };
  });
  return result;
}

/** Returns a message of an entity as a new one: without its id, its times and its marks of the broker. */
export function newFrom(message: Message): NewMessage {
  const fresh: NewMessage = {};
  for (const [name] of TEXTS) {
    const value = message[name];
    if (value && name !== 'messageId') {
      fresh[name] = value;
    }
  }
  if (message.contentEncoding) {
    fresh.contentEncoding = message.contentEncoding;
  }
  const properties = Object.entries(message.applicationProperties ?? {}).filter(([name]) => !/^(DeadLetter(Reason|ErrorDescription)|x-jitney-resubmitted.*)$/.test(name));
  if (properties.length > 0) {
    fresh.applicationProperties = Object.fromEntries(properties);
  }
  if (message.body !== undefined) {
    fresh.body = message.body;
  }
  return fresh;
}

/** Returns the message of a form whose time to live is empty or a duration. The server checks the other fields. */
export function messageOf(form: SendForm): NewMessage {
  const message: NewMessage = {};
  for (const [name] of TEXTS) {
    if (form.texts[name]) {
      message[name] = form.texts[name];
    }
  }
  if (form.contentEncoding) {
    message.contentEncoding = form.contentEncoding;
  }
  const iso = isoOf(form.timeToLive.trim());
  const seconds = iso === NEVER ? null : secondsOf(iso); // without a value a message does not expire before the entity says so
  if (seconds !== null) {
    message.timeToLive = Math.round(seconds * 1_000);
  }
  if (form.at) {
    message.scheduledEnqueueTime = new Date(form.at).toISOString();
  }
  const properties = form.properties.filter((each) => each.name);
  if (properties.length > 0) {
    message.applicationProperties = Object.fromEntries(properties.map((each) => [each.name, each.kept ?? typed(each.type, each.text)]));
  }
  if (form.form === 'value' && form.kept) {
    message.body = form.kept;
  } else if (form.form === 'base64') {
    message.body = { type: 'data', base64: form.body.replace(/\s+/g, '') };
  } else if (form.body) {
    message.body = withLineEnds(form.body, form.ends);
  }
  return message;
}

/** Returns the reason why a body does not have its form, or an empty text. */
export function bodyProblem(form: BodyForm, body: string): string {
  if (!body.trim()) {
    return '';
  }
  if (form === 'json') {
    try {
      JSON.parse(body);
    } catch (problem) {
      return `This is not JSON: ${(problem as Error).message}`;
    }
  }
  if (form === 'xml' && new DOMParser().parseFromString(body, 'application/xml').querySelector('parsererror')) {
    return 'This is not well-formed XML.';
  }
  if (form === 'base64' && !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(body.replace(/\s+/g, ''))) {
    return 'This is not base64.';
  }
  return '';
}

/** The largest file of canned messages. */
const FILE_BYTES_MAX = 4_000_000;

/** The most messages in a file and in a request. */
export const MESSAGES_MAX = 250;

/** Reads a file: one message, an array of messages, or the body of a request. */
export async function readFile(file: File): Promise<NewMessage[]> {
  if (file.size > FILE_BYTES_MAX) {
    throw new Error(`Expected a file of at most ${FILE_BYTES_MAX / 1_000_000} MB, but ${file.name} is larger.`);
  }
  let content: unknown;
  try {
    content = JSON.parse(await file.text());
  } catch {
    throw new Error(`Expected messages as JSON, but ${file.name} is not JSON.`);
  }
  const inner = (content as { messages?: unknown })?.messages;
  const list: unknown[] = Array.isArray(content) ? content : Array.isArray(inner) ? inner : [content];
  if (list.length === 0 || list.length > MESSAGES_MAX || list.some((each) => each === null || typeof each !== 'object' || Array.isArray(each))) {
    throw new Error(`Expected a message, or an array of 1 to ${MESSAGES_MAX} messages, but ${file.name} has something else.`);
  }
  return list as NewMessage[];
}

/** Saves messages as a file on the machine of the user. */
export function saveFile(name: string, messages: NewMessage[]): void {
  const place = URL.createObjectURL(new Blob([JSON.stringify({ messages }, null, 2) + '\n'], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = place;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(place), 10_000);
}

export function send(entity: string, messages: NewMessage[], count: number | string): Promise<Sent> {
  return operator('POST', `/entities/${encodeURIComponent(entity)}/messages`, { messages, count });
}
