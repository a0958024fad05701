import type { Body, Message, Value } from './types';

/** Bodies beyond this size are shown without colors and without layout. */
const LAYOUT_MAX = 500_000;

/** An unpacked body may be much larger than the packed one. */
const UNPACKED_MAX = 4_000_000;

/** The bytes that the hexadecimal view shows. */
const HEX_MAX = 16_384;

export interface Token {
  kind: '' | 'key' | 'string' | 'number' | 'word';
  text: string;
}

/** The ends of the lines of a text. A text field has \n only. */
export type LineEnds = '\n' | '\r\n' | '\r' | 'mixed';

/** Returns how the lines of a text end; \n for a text of one line. */
export function lineEnds(text: string): LineEnds {
  const kinds = new Set(text.match(/\r\n|\r|\n/g) ?? ['\n']);
  return kinds.size > 1 ? 'mixed' : ([...kinds][0] as LineEnds);
}

/** Returns a text as a text field shows it. */
export function withPlainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Returns the text of a text field with other ends of its lines. */
export function withLineEnds(text: string, ends: LineEnds): string {
  const plain = withPlainLines(text);
  return ends === '\r' || ends === '\r\n' ? plain.replaceAll('\n', ends) : plain;
}

/** Returns words about the ends of the lines, or an empty text for \n. */
export function lineEndsHint(ends: LineEnds): string {
  return ends === '\r\n' ? 'The lines end with CR LF, as before.' : ends === '\r' ? 'The lines end with CR, as before.' : '';
}

/** Returns the bytes of a text in base64. */
export function base64Of(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary);
}

export function bodyBytes(body: Body | undefined): Uint8Array | null {
  if (body === undefined) {
    return new Uint8Array();
  }
  if (typeof body === 'string') {
    return new TextEncoder().encode(body);
  }
  return body.type === 'data' ? Uint8Array.from(atob(body.base64), (character) => character.charCodeAt(0)) : null;
}

/** Returns the body as text, or null if it is binary. Values of AMQP are written as JSON. */
export function bodyText(body: Body | undefined): string | null {
  if (body === undefined || typeof body === 'string') {
    return body ?? '';
  }
  if (body.type === 'data') {
    return null;
  }
  return typeof body.value === 'string' ? body.value : JSON.stringify(plain(body.value), null, 2);
}

/** Returns a value without its types. */
function plain(value: Value): unknown {
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (value.type === 'map' && Array.isArray(value.value)) {
    return Object.fromEntries(value.value.map((pair) => (Array.isArray(pair) ? [String(plain(pair[0] ?? null)), plain(pair[1] ?? null)] : ['', null])));
  }
  return plain(value.value);
}

/** Lays out a JSON text, or returns null if it is none. Its numbers stay as they are: a parser would round long ones. */
export function layOutJson(text: string): Token[] | null {
  if (text.length > LAYOUT_MAX || !/^\s*[[{]/.test(text)) {
    return null;
  }
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], piece: string) => {
    const last = tokens[tokens.length - 1];
    if (last && last.kind === kind) {
      last.text += piece;
    } else {
      tokens.push({ kind, text: piece });
    }
  };
  let depth = 0;
  const line = () => add('', '\n' + '  '.repeat(depth));
  const pattern = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
  const pieces = text.match(pattern) ?? [];
  pieces.forEach((piece, at) => {
    const next = pieces[at + 1];
    if (piece === '{' || piece === '[') {
      depth++;
      add('', piece);
      if (next !== '}' && next !== ']') {
        line();
      }
    } else if (piece === '}' || piece === ']') {
      depth--;
      const before = pieces[at - 1];
      if (before !== '{' && before !== '[') {
        line();
      }
      add('', piece);
    } else if (piece === ',') {
      add('', piece);
      line();
    } else if (piece === ':') {
      add('', ': ');
    } else if (piece.startsWith('"')) {
      add(next === ':' ? 'key' : 'string', piece);
    } else {
      add(/^[-\d]/.test(piece) ? 'number' : 'word', piece);
    }
  });
  return tokens;
}

/** Indents an XML text, or returns null if it is none. */
export function layOutXml(text: string): string | null {
  if (text.length > LAYOUT_MAX || !/^\s*<[?!\w]/.test(text)) {
    return null;
  }
  const parsed = new DOMParser().parseFromString(text, 'application/xml');
  if (parsed.querySelector('parsererror')) {
    return null;
  }
  let depth = 0;
  return text
    .trim()
    .replace(/>\s+</g, '><')
    .split(/(?<=>)(?=<)/)
    .map((piece) => {
      if (/^<\//.test(piece)) {
        depth = Math.max(0, depth - 1);
      }
      const line = '  '.repeat(depth) + piece;
      if (/^<[^!?/]/.test(piece) && !/\/>$/.test(piece) && !/<\/[^>]+>$/.test(piece)) {
        depth++;
      }
      return line;
    })
    .join('\n');
}

export function hex(data: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(data.length, HEX_MAX); at += 16) {
    const row = data.subarray(at, at + 16);
    const digits = Array.from(row, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(row, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${digits.padEnd(47)}  ${text}`);
  }
  if (data.length > HEX_MAX) {
    lines.push(`… ${data.length - HEX_MAX} more bytes`);
  }
  return lines.join('\n');
}

/** Unpacks a gzip body as text. Returns null if it is none, or if it is too large or binary inside. */
export async function unpacked(message: Message): Promise<string | null> {
  const data = bodyBytes(message.body);
  if (!data || data[0] !== 0x1f || data[1] !== 0x8b) {
    return null;
  }
  try {
    const reader = new Blob([new Uint8Array(data)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      text += decoder.decode(value, { stream: !done });
      if (done) {
        return text;
      }
      if (text.length > UNPACKED_MAX) {
        await reader.cancel();
        return null;
      }
    }
  } catch {
    return null;
  }
}
