import type { Group } from './types';

export function text(value: string): string {
  return "'" + value.replaceAll("'", "''") + "'";
}

/** The longest text of a group. The server cuts longer ones. */
const CUT = 256;

/** Returns the filter for the messages of a group. A # in the pattern of the description stands for a number or an id. */
export function ofGroup(group: Group): string {
  return [
    condition('DeadLetterReason', group.reason, false),
    condition('DeadLetterErrorDescription', group.description, true),
    condition('sys.Label', group.subject, false),
  ].join(' AND ');
}

function condition(property: string, value: string | undefined, pattern: boolean): string {
  if (value === undefined) {
    return `${property} IS NULL`;
  }
  const open = value.length >= CUT;
  if (!open && !(pattern && value.includes('#'))) {
    return `${property} = ${text(value)}`;
  }
  const escaped = value.replace(/[!%_]/g, '!$&');
  const like = (pattern ? escaped.replace(/#/g, '%') : escaped) + (open ? '%' : '');
  return `${property} LIKE ${text(like)}${escaped === value ? '' : " ESCAPE '!'"}`;
}

/** Returns the column of the error that a message names, from 1, or 0. */
export function errorColumn(message: string): number {
  const place = errorPlace(message);
  return place?.line === 1 ? place.column : 0;
}

/** Returns the line and the column of the error that a message names, from 1, or null. */
export function errorPlace(message: string): { line: number; column: number } | null {
  const found = /at line (\d+), column (\d+)/.exec(message);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : null;
}
