import type { Value } from './types';

/** A property or a parameter that the user types. */
export interface TypedRow {
  name: string;
  type: string;
  text: string;
}

/** The types of properties that the console offers. */
export const PROPERTY_TYPES = ['string', 'int', 'long', 'double', 'boolean', 'timestamp', 'uuid', 'short', 'float', 'duration', 'null'];

export const NUMBERS = ['byte', 'short', 'int', 'ubyte', 'ushort', 'uint', 'float', 'double'];

/** Returns the value of a typed text. A text that does not fit is sent as it is, and the server says what it expects. */
export function typed(type: string, text: string): Value {
  if (type === 'string') {
    return text;
  }
  if (type === 'null') {
    return null;
  }
  if (type === 'boolean') {
    return truth(text) ?? { type, value: text };
  }
  const number = Number(text);
  return { type, value: NUMBERS.includes(type) && text.trim() !== '' && Number.isFinite(number) ? number : text };
}

/** Returns true or false, or null for another text. */
export function truth(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}
