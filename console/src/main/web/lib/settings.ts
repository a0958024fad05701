import type { SettingField, Settings, SettingValue } from './administration';

/** The text of the longest duration, which means never. */
export const NEVER = 'P10675199DT2H48M5.4775807S';

/** The groups of the form. A setting that none of them names is in the last one. */
export const GROUPS: { title: string; names: string[] }[] = [
  { title: 'Delivery', names: ['status', 'lockDuration', 'maxDeliveryCount', 'requiresSession'] },
  {
    title: 'Time to live',
    names: ['defaultMessageTimeToLive', 'deadLetteringOnMessageExpiration', 'deadLetteringOnFilterEvaluationExceptions', 'autoDeleteOnIdle'],
  },
  { title: 'Forwarding', names: ['forwardTo', 'forwardDeadLetteredMessagesTo'] },
  { title: 'Duplicates', names: ['requiresDuplicateDetection', 'duplicateDetectionHistoryTimeWindow'] },
  { title: 'Size', names: ['maxSizeInMegabytes', 'maxMessageSizeInKilobytes', 'enablePartitioning'] },
  { title: 'Other', names: ['userMetadata'] },
];

export function grouped(fields: SettingField[]): { title: string; fields: SettingField[] }[] {
  const known = new Set(GROUPS.flatMap((group) => group.names));
  return GROUPS.map((group, at) => ({
    title: group.title,
    fields: [
      ...group.names.flatMap((name) => fields.filter((field) => field.name === name)),
      ...(at === GROUPS.length - 1 ? fields.filter((field) => !known.has(field.name)) : []),
    ],
  })).filter((group) => group.fields.length > 0);
}

/** Returns a name of the SDK as words: "lockDuration" is "Lock duration". */
export function titleOf(name: string): string {
  const words = name.replace(/([A-Z])/g, (letter) => ' ' + letter.toLowerCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The texts of the form. */
export type Texts = Record<string, string | boolean>;

export function textOf(field: SettingField, value: SettingValue | undefined): string | boolean {
  if (field.type === 'true or false') {
    return value === true;
  }
  return value === null || value === undefined ? '' : field.type === 'duration' && value === NEVER ? 'never' : String(value);
}

export function textsOf(fields: SettingField[], values: Settings): Texts {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, values[field.name])]));
}

/** Returns the value that the server gets. It checks the value, so a wrong text is sent as it is. */
export function valueOf(field: SettingField, text: string | boolean): SettingValue {
  if (typeof text === 'boolean') {
    return text;
  }
  const trimmed = text.trim();
  if (trimmed === '') {
    return null;
  }
  if (field.type === 'number') {
    return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
  }
  return field.type === 'duration' ? isoOf(trimmed) : field.type === 'text' ? text : trimmed;
}

const UNITS: Record<string, [string, string]> = { s: ['PT', 'S'], min: ['PT', 'M'], h: ['PT', 'H'], d: ['P', 'D'] };

/** Returns a duration in ISO 8601 for "never", "30 s", "5 min", "2 h" or "14 d". Other texts stay as they are. */
export function isoOf(text: string): string {
  if (/^never$/i.test(text)) {
    return NEVER;
  }
  const simple = /^(\d{1,12}(?:\.\d{1,3}(?= ?s$))?) ?(s|min|h|d)$/i.exec(text);
  const unit = UNITS[(simple?.[2] ?? '').toLowerCase()];
  return simple && unit ? unit[0] + simple[1] + unit[1] : text.toUpperCase();
}

/** Returns the seconds of a duration in ISO 8601 without years and months, or null. */
export function secondsOf(iso: string): number | null {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(iso);
  if (!parts || iso === 'P' || iso.endsWith('T')) {
    return null;
  }
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
}

/** Returns a duration in words, or an empty text if it is none. */
export function wordsOf(text: string): string {
  const iso = isoOf(text.trim());
  if (iso === NEVER) {
    return 'never';
  }
  const seconds = secondsOf(iso);
  if (seconds === null) {
    return '';
  }
  const parts: string[] = [];
  let rest = seconds;
  for (const [size, name] of [[86_400, 'day'], [3_600, 'hour'], [60, 'minute']] as const) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) {
      parts.push(`${amount} ${name}${amount === 1 ? '' : 's'}`);
    }
  }
  if (rest > 0 || parts.length === 0) {
    parts.push(`${Number(rest.toFixed(3))} second${rest === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}

/** Returns the settings of the form that differ from others. */
export function changed(fields: SettingField[], texts: Texts, from: Texts): Settings {
  const values: Settings = {};
  for (const field of fields) {
    const text = texts[field.name] ?? '';
    if (text !== from[field.name]) {
      values[field.name] = valueOf(field, text);
    }
  }
  return values;
}
