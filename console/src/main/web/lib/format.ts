import type { Message, Value } from './types';

const NUMBER = new Intl.NumberFormat('en-US');

export function count(value: number): string {
  return NUMBER.format(value);
}

export function bytes(value: number): string {
  if (value < 1_000) {
    return `${value} B`;
  }
  const units = ['kB', 'MB', 'GB', 'TB'];
  let scaled = value / 1_000;
  let unit = 0;
  while (scaled >= 1_000 && unit < units.length - 1) {
    scaled /= 1_000;
    unit++;
  }
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${units[unit]}`;
}

/** Returns a time of the server in the time zone of the browser, to the second. */
export function time(text: string | undefined): string {
  if (!text) {
    return '';
  }
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) {
    return text;
  }
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export function age(text: string | undefined, now: number): string {
  return text ? duration(Math.max(0, Math.round((now - Date.parse(text)) / 1_000))) : '';
}

export function duration(seconds: number): string {
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3_600) {
    return `${Math.floor(seconds / 60)} min`;
  }
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Returns a rate with about two digits, or a dash before the first sample. */
export function rate(perSecond: number | null | undefined): string {
  if (perSecond === null || perSecond === undefined) {
    return '–';
  }
  return perSecond === 0 ? '0' : perSecond < 0.1 ? '<0.1' : perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

/** Returns a time as the value of a field for a local date and time. */
export function localField(text: string | undefined): string {
  return text ? time(text).replace(' ', 'T') : '';
}

export function typeOf(value: Value): string {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'object' && !Array.isArray(value)) {
    return value.type;
  }
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : Array.isArray(value) ? 'list' : 'number';
}

/** Returns a value with its AMQP type as text. */
export function valueText(value: Value): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return '[' + value.map(valueText).join(', ') + ']';
  }
  if (typeof value !== 'object') {
    return String(value);
  }
  if (value.type === 'map' && Array.isArray(value.value)) {
    return '{' + value.value.map((pair) => (Array.isArray(pair) ? pair.map(valueText).join(': ') : valueText(pair))).join(', ') + '}';
  }
  return valueText(value.value);
}

/** Returns the beginning of a body on one line. */
export function preview(message: Message): string {
  const body = message.body;
  if (message.unreadable) {
    return message.unreadable;
  }
  if (typeof body === 'string') {
    return body.replace(/\s+/g, ' ').slice(0, 300) + (message.bodyTruncated ? '…' : '');
  }
  if (!body) {
    return message.bodyTruncated ? '(open the message to see its body)' : message.bodyMasked ? '(hidden)' : '';
  }
  return body.type === 'data' ? `${bytes(message.bodySizeInBytes ?? 0)} of binary data` : valueText(body.value).slice(0, 300);
}

