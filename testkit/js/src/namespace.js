import { connectionString } from './http.js';
import { milliseconds } from './durations.js';
import { toSend } from './messages.js';

const PAGE = 250;
const BODY_BYTES = 4_096;
const IDLE_MS = 10_000;

/** A namespace of a broker. No other namespace sees its entities and messages. */
export class Namespace {
  #http;
  #key;

  constructor(http, name, keyName, key) {
    this.#http = http;
    this.#key = { keyName, key };
    /** The name. */
    this.name = name;
    /** The connection string for clients of the official SDK. */
    this.connectionString = connectionString(http.address, keyName, key);
    /** The faults of this namespace. */
    this.faults = new NamespaceFaults(http, name);
  }

  /** Sends messages in one commit. */
  async send(entity, ...messages) {
    const answer = await this.#operator('POST', `entities/${encodeURIComponent(entity)}/messages`, {
      messages: messages.map(toSend),
    });
    return answer.sequenceNumbers;
  }

  /** Returns all messages of a queue or of `topic/Subscriptions/subscription`, without receiving them. */
  async messages(entity, { filter, state } = {}) {
    const found = [];
    let from;
    do {
      const query = new URLSearchParams({ max: PAGE, body: BODY_BYTES });
      for (const [name, value] of Object.entries({ filter, state, from })) {
        if (value !== undefined) {
          query.set(name, value);
        }
      }
      const page = await this.#operator('GET', `entities/${encodeURIComponent(entity)}/messages?${query}`);
      found.push(...page.messages);
      from = page.next ?? undefined;
    } while (from !== undefined);
    return found;
  }

  /** Returns the dead letters of a queue or subscription. */
  deadLetters(entity, options) {
    return this.messages(`${entity}/$DeadLetterQueue`, options);
  }

  /** Answers "where would this message go?" without sending it. */
  explain(entity, message = {}) {
    return this.#operator('POST', `entities/${encodeURIComponent(entity)}/explain`, toSend(message));
  }

  /** Returns the events of an entity, or of all, oldest first: enqueued, delivered, completed, dead-lettered and so on. */
  async history(entity) {
    const query = new URLSearchParams({ namespace: this.name });
    if (entity !== undefined) {
      query.set('entity', entity);
    }
    return (await this.#http.test('GET', `history?${query}`)).events;
  }

  /** Deletes all messages, locks, session states and the history of duplicate detection. Entities and receivers stay. */
  async reset() {
    return (await this.#http.test('POST', 'reset', { namespace: this.name })).messages;
  }

  /** Waits until nothing is due, on its way or locked. */
  async awaitIdle({ timeout = IDLE_MS } = {}) {
    const timeoutMs = milliseconds(timeout);
    const answer = await this.#http.test('POST', 'idle', { namespace: this.name, timeoutMs }, timeoutMs);
    if (!answer.idle) {
      throw new Error(`The namespace '${this.name}' is not idle after ${timeoutMs} ms. ${answer.reasons.join(' ')}`);
    }
  }

  /** Deletes the namespace with everything in it. */
  async delete() {
    await this.#http.test('DELETE', `namespaces/${encodeURIComponent(this.name)}`);
  }

  #operator(method, path, body) {
    return this.#http.operator(this.#key, method, path, body);
  }
}

/** The faults that a test can cause in a namespace. */
class NamespaceFaults {
  #http;
  #namespace;

  constructor(http, namespace) {
    this.#http = http;
    this.#namespace = namespace;
  }

  /** Ends the locks of all messages of an entity. */
  loseLocks(entity) {
    return this.#cause('loseLocks', { entity });
  }

  /** Delivers the next message of an entity twice. */
  duplicateNextDelivery(entity) {
    return this.#cause('duplicateNextDelivery', { entity });
  }

  /** Answers with ServerBusy for a time; 0 ends it. */
  throttle(duration) {
    return this.#cause('throttle', { durationMs: milliseconds(duration) });
  }

  /** Closes the connections of clients. */
  disconnect() {
    return this.#cause('disconnect', {});
  }

  /** Delays each answer by a time; 0 ends it. */
  delay(duration) {
    return this.#cause('delay', { delayMs: milliseconds(duration) });
  }

  /** Ends throttling and delays. */
  clear() {
    return this.#cause('clear', {});
  }

  async #cause(fault, details) {
    await this.#http.test('POST', 'faults', { namespace: this.#namespace, fault, ...details });
  }
}
