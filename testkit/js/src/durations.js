// Durations as numbers of milliseconds, objects or ISO 8601.

const UNITS = { milliseconds: 1, seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Returns the milliseconds of a number of milliseconds or of an object such as `{ minutes: 5 }`. */
export function milliseconds(duration) {
  let sum = 0;
  if (typeof duration === 'number') {
    sum = duration;
  } else if (duration !== null && typeof duration === 'object' && Object.keys(duration).length > 0) {
    for (const [unit, count] of Object.entries(duration)) {
      sum += UNITS[unit] * count;
    }
  } else {
    sum = Number.NaN;
  }
  if (!Number.isFinite(sum) || sum < 0) {
    throw new TypeError(
      `Expected milliseconds, or an object with ${Object.keys(UNITS).join(', ')}, but got ${JSON.stringify(duration)}.`,
    );
  }
  return Math.round(sum);
}

/** Returns a duration in ISO 8601. Text is passed on. */
export function iso(duration) {
  return typeof duration === 'string' ? duration : `PT${milliseconds(duration) / 1_000}S`;
}
