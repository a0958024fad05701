export type Step = 'hour' | 'day';

/** The messages of an hour or a day. The last bar may have all later ones. */
export interface Bar {
  start: number;
  /** Infinity for the bar of the later messages. */
  end: number;
  count: number;
}

const HOURS_UNTIL_DAYS = 48;

/** The most bars, so that each can be seen on a telephone. */
export const BARS_MAX = 72;

/** Returns hours for times that are close to each other, and otherwise days. */
export function stepFor(times: number[]): Step {
  const sorted = range(times);
  return sorted && sorted.last - sorted.first > HOURS_UNTIL_DAYS * 3_600_000 ? 'day' : 'hour';
}

function range(times: number[]): { first: number; last: number } | null {
  if (times.length === 0) {
    return null;
  }
  return times.reduce((found, each) => ({ first: Math.min(found.first, each), last: Math.max(found.last, each) }), { first: Infinity, last: -Infinity });
}

/** Counts times by the hours or the days of the browser's time zone, also those in between without one. */
export function barsOf(times: number[], step: Step): Bar[] {
  const all = range(times);
  if (!all) {
    return [];
  }
  const bars: Bar[] = [];
  let start = floor(all.first, step);
  while (start <= all.last && bars.length < BARS_MAX) {
    const end = after(start, step);
    bars.push({ start, end, count: 0 });
    start = end;
  }
  const last = bars[bars.length - 1];
  if (last && last.end <= all.last) {
    last.end = Infinity;
  }
  for (const each of times) {
    const bar = bars[find(bars, each)];
    if (bar) {
      bar.count++;
    }
  }
  return bars;
}

/** Returns the index of the bar with a time. The days of a change of the clock have other lengths, so it is a search. */
function find(bars: Bar[], time: number): number {
  let low = 0;
  let high = bars.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bars[middle]?.start ?? Infinity) <= time) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

function floor(time: number, step: Step): number {
  const at = new Date(time);
  return step === 'day' ? new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime() : at.setMinutes(0, 0, 0);
}

function after(start: number, step: Step): number {
  const at = new Date(start);
  return step === 'day' ? new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1).getTime() : start + 3_600_000;
}

/** Returns the name of a bar, such as 2026-11-28 15:00. */
export function nameOf(bar: Bar, step: Step): string {
  const at = new Date(bar.start);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return (step === 'day' ? day : `${day} ${two(at.getHours())}:${two(at.getMinutes())}`) + (bar.end === Infinity ? ' and later' : '');
}
