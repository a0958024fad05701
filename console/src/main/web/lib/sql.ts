export function text(value: string): string {
  return "'" + value.replaceAll("'", "''") + "'";
}

/** The words of the language that are names only in brackets. */
const WORDS = new Set(
  ('AND CONTAINS ESCAPE EXISTS FALSE IN IS LIKE NOT NULL OR REMOVE SET TRUE BEGIN END BREAK CONTINUE GOTO IF ELSE WHILE TRY CATCH AS BETWEEN COALESCE CONVERT DECLARE NULLIF BODY JSON').split(' '),
);

/** Returns the name of an application property as a filter has it. */
export function nameOf(property: string): string {
  const plain = /^[A-Za-z_]\w*$/.test(property) && !WORDS.has(property.toUpperCase());
  return plain ? property : `[${property.replaceAll(']', ']]')}]`;
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
