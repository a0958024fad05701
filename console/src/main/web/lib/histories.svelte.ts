import { SvelteMap } from 'svelte/reactivity';
import { operator } from './api';
import type { Entity } from './types';

/** The messages into and out of an entity in each minute of the last hour. */
export interface Series {
  incoming: number[];
  outgoing: number[];
}

interface Known extends Series {
  at: number;
}

/**
 * The series of the entities in sight. It asks for a few at a time, for none whose entity has had no messages, for none while the tab
 * is hidden, and for each at most once a minute.
 */
export class Histories {
  private static readonly PARALLEL = 4;
  private static readonly KEPT_MAX = 500;
  private static readonly FRESH_MS = 60_000;
  private static readonly REST_MS = 250;
  private readonly known = new SvelteMap<string, Known>();
  private readonly ended = new AbortController();
  private wanted: string[] = [];
  /** The entities whose answer has not come yet. */
  private readonly running = new Set<string>();
  private rest: ReturnType<typeof setTimeout> | undefined;

  of(path: string): Series | null {
    return this.known.get(path) ?? null;
  }

  /** Takes the entities in sight, in place of those before. Nothing happens until the table rests. */
  want(entities: Entity[]): void {
    this.wanted = entities.filter((each) => (each.incomingMessages ?? 0) + (each.outgoingMessages ?? 0) > 0).map((each) => each.path);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.next(), Histories.REST_MS);
  }

  stop(): void {
    clearTimeout(this.rest);
    this.wanted = [];
    this.ended.abort();
  }

  private next(): void {
    while (this.running.size < Histories.PARALLEL && !document.hidden && !this.ended.signal.aborted) {
      const path = this.wanted.shift();
      if (path === undefined) {
        return;
      }
      if (!this.running.has(path) && Date.now() - (this.known.get(path)?.at ?? 0) >= Histories.FRESH_MS) {
        this.running.add(path);
        void this.load(path).finally(() => {
          this.running.delete(path);
          this.next();
        });
      }
    }
  }

  private async load(path: string): Promise<void> {
    try {
      const { incoming, outgoing } = await operator<Series>('GET', `/entities/${encodeURIComponent(path)}/history`, undefined, this.ended.signal);
      this.known.delete(path); // so that it becomes the newest
      this.known.set(path, { incoming, outgoing, at: Date.now() });
      const oldest = this.known.keys().next().value;
      if (this.known.size > Histories.KEPT_MAX && oldest !== undefined) {
        this.known.delete(oldest);
      }
    } catch {
      // The table shows the entity without a line, and the next round tries again.
    }
  }
}
