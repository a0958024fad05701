import { rate } from './format';
import type { Entity } from './types';

export interface Node {
  /** The path in lower case, by which entities are found. */
  id: string;
  path: string;
  title: string;
  kind: Entity['kind'] | 'missing';
  /** Null for the destination of a forward that does not exist. */
  entity: Entity | null;
  column: number;
  row: number;
  /** The reason why messages dam up here, or empty. */
  trouble: string;
}

export interface Edge {
  from: Node;
  to: Node;
  kind: 'subscription' | 'forward' | 'deadLetter';
  /** Messages per second, or null if that is not known. */
  rate: number | null;
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
  /** The entities that the filter finds, with all before and behind them. */
  found: number;
  columns: number;
  rows: number;
}

/** The most entities that are drawn. */
export const DRAWN_MAX = 300;

/** A backlog grows if more than this part of the incoming messages stays. */
const GROWS = 0.1;
const GROWS_MIN = 0.05;

/** An entity that forwards keeps no more messages than come in within this time. */
const WAITING_SECONDS = 60;

/** A word fits if its characters occur in this order: "ordq" finds "orders/eu/queue". */
export function fits(path: string, word: string): boolean {
  if (path.includes(word)) {
    return true;
  }
  let at = -1;
  return [...word].every((character) => (at = path.indexOf(character, at + 1)) >= 0) && word.length > 2;
}

/** Returns the words of a filter. */
export function wordsOf(filter: string): string[] {
  return filter.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Returns why messages dam up in an entity, or an empty text. */
export function troubleOf(each: Entity): string {
  const { incomingPerSecond: incoming, outgoingPerSecond: outgoing } = each;
  if (each.kind === 'topic' || each.counts.active === 0) {
    return '';
  }
  if (each.forwardTo) {
    return incoming.fiveMinutes !== null && each.counts.active > WAITING_SECONDS * incoming.fiveMinutes ? 'messages are not forwarded' : '';
  }
  if (!outgoing.fiveMinutes && each.receivers === 0) {
    return 'no receiver';
  }
  const stays = (incoming.fiveMinutes ?? 0) - (outgoing.fiveMinutes ?? 0);
  return stays > Math.max(GROWS_MIN, GROWS * (incoming.fiveMinutes ?? 0)) ? `grows by ${rate(stays)}/s` : '';
}

function titleOf(each: Entity): string {
  return each.kind === 'subscription' ? each.path.slice(each.path.lastIndexOf('/') + 1) : each.path;
}

/**
 * Returns the entities that a filter finds, with everything before and behind them, and places them: from the topics on the left to
 * the queues on the right.
 *
 * @param alone whether to include queues without connections to others
 */
export function graphOf(entities: Entity[], filter: string, alone: boolean): Graph {
  const all = new Map<string, Node>();
  for (const each of entities) {
    const id = each.path.toLowerCase();
    all.set(id, { id, path: each.path, title: titleOf(each), kind: each.kind, entity: each, column: 0, row: 0, trouble: troubleOf(each) });
  }
  const edges = edgesOf(entities, all);
  const next = new Map<string, Edge[]>();
  const before = new Map<string, Edge[]>();
  for (const edge of edges) {
    add(next, edge.from.id, edge);
    add(before, edge.to.id, edge);
  }
  const words = wordsOf(filter);
  const chosen = new Set<Node>();
  const behind = new Set<Node>();
  const ahead = new Set<Node>();
  for (const node of [...all.values()].sort((a, b) => a.path.localeCompare(b.path))) {
    const connected = next.has(node.id) || before.has(node.id) || node.kind === 'topic';
    if ((connected || alone || words.length > 0) && words.every((word) => fits(node.id, word))) {
      collect(node, behind, chosen, (of) => (next.get(of.id) ?? []).map((edge) => edge.to));
      collect(node, ahead, chosen, (of) => (before.get(of.id) ?? []).map((edge) => edge.from));
    }
  }
  const nodes = [...chosen].slice(0, DRAWN_MAX);
  const drawn = new Set(nodes);
  const kept = edges.filter((edge) => drawn.has(edge.from) && drawn.has(edge.to));
  return { nodes, edges: kept, found: chosen.size, ...place(nodes, kept) };
}

/** Returns the connections, and adds the destinations that do not exist. */
function edgesOf(entities: Entity[], all: Map<string, Node>): Edge[] {
  const edges: Edge[] = [];
  const target = (path: string): Node => {
    const id = path.toLowerCase();
    const known = all.get(id);
    if (known) {
      return known;
    }
    const missing: Node = { id, path, title: path, kind: 'missing', entity: null, column: 0, row: 0, trouble: 'does not exist' };
    all.set(id, missing);
    return missing;
  };
  for (const each of entities) {
    const from = target(each.path);
    if (each.kind === 'subscription') {
      const topic = all.get(each.path.toLowerCase().replace(/\/subscriptions\/[^/]*$/, ''));
      if (topic) {
        edges.push({ from: topic, to: from, kind: 'subscription', rate: each.incomingPerSecond.oneMinute });
      }
    }
    if (each.forwardTo) {
      edges.push({ from, to: target(each.forwardTo), kind: 'forward', rate: each.incomingPerSecond.oneMinute });
    }
    if (each.forwardDeadLetteredMessagesTo) {
      edges.push({ from, to: target(each.forwardDeadLetteredMessagesTo), kind: 'deadLetter', rate: null });
    }
  }
  return edges;
}

function add(to: Map<string, Edge[]>, id: string, edge: Edge): void {
  const list = to.get(id);
  if (list) {
    list.push(edge);
  } else {
    to.set(id, [edge]);
  }
}

/** Adds an entity and all that it leads to. `seen` has those of earlier calls, so that none is visited twice. */
function collect(start: Node, seen: Set<Node>, into: Set<Node>, neighbors: (of: Node) => Node[]): void {
  const open = seen.has(start) ? [] : [start];
  seen.add(start);
  for (const each of open) {
    into.add(each);
    for (const other of neighbors(each)) {
      if (!seen.has(other)) {
        seen.add(other);
        open.push(other);
      }
    }
  }
}

/** Places each entity right of those that send to it, and at the height of the middle of those that it sends to. */
function place(nodes: Node[], edges: Edge[]): { columns: number; rows: number } {
  const next = new Map<Node, Node[]>(nodes.map((node) => [node, []]));
  const sources = new Map<Node, Node[]>(nodes.map((node) => [node, []]));
  for (const { from, to } of edges) {
    next.get(from)?.push(to);
    sources.get(to)?.push(from);
  }
  const columns = new Map<Node, number>();
  const columnOf = (node: Node, above: Set<Node>): number => {
    const known = columns.get(node);
    if (known !== undefined) {
      return known;
    }
    above.add(node);
    const column = (sources.get(node) ?? []).filter((each) => !above.has(each)).reduce((most, each) => Math.max(most, columnOf(each, above) + 1), 0);
    above.delete(node);
    columns.set(node, column);
    return column;
  };
  let row = 0;
  const placed = new Set<Node>();
  const put = (node: Node): void => {
    placed.add(node);
    node.column = columnOf(node, new Set());
    const rows: number[] = [];
    for (const each of next.get(node) ?? []) {
      if (!placed.has(each) && columnOf(each, new Set()) > node.column) {
        put(each);
        rows.push(each.row);
      }
    }
    node.row = rows.length > 0 ? ((rows[0] ?? 0) + (rows[rows.length - 1] ?? 0)) / 2 : row++;
  };
  const starts = nodes.filter((node) => sources.get(node)?.length === 0);
  for (const node of [...starts, ...nodes]) {
    if (!placed.has(node)) {
      put(node);
    }
  }
  return { columns: Math.max(0, ...nodes.map((node) => node.column + 1)), rows: row };
}

/** Returns the width of a line: 1.5 for nothing, 3.5 for 10 messages a second, and at most 10. */
export function widthOf(edge: Edge): number {
  return edge.rate ? Math.min(10, 1.5 + 2 * Math.log10(1 + edge.rate)) : 1.5;
}
