import { Http, parse } from './http.js';
import { iso } from './durations.js';
import { namespaceConfig } from './entities.js';
import { Namespace } from './namespace.js';
import { startServer } from './server.js';

/** A broker, started by this process or by another one. Its own namespace is the first one of its configuration. */
export class Jitney extends Namespace {
  #http;
  #server;

  constructor(http, name, key, server) {
    super(http, name, key.keyName, key.key);
    this.#http = http;
    this.#server = server;
    /** The time of messages in the whole broker. */
    this.clock = new Clock(http);
    /** The stores of the whole broker. */
    this.stores = new Stores(http);
  }

  /** Starts a broker in memory, on a free port, as a child process. It ends with this process. */
  static async start(options = {}) {
    const server = await startServer(options);
    try {
      return await Jitney.#at(server.connectionString, server);
    } catch (e) {
      await server.stop();
      throw e;
    }
  }

  /** Connects to a broker with a test mode that runs already, such as one in a container. */
  static connect(connectionStringOfBroker) {
    return Jitney.#at(connectionStringOfBroker, undefined);
  }

  static async #at(text, server) {
    const { address, keyName, key } = parse(text);
    const http = new Http(address);
    const { namespaces } = await http.test('GET', 'namespaces');
    return new Jitney(http, namespaces[0], { keyName, key }, server);
  }

  /** Makes a namespace of its own, with the given entities. */
  async namespace({ name, config, ...entities } = {}) {
    const made = await this.#http.test('POST', 'namespaces', { name, config: config ?? namespaceConfig(entities) });
    return new Namespace(this.#http, made.name, made.keyName, made.key);
  }

  /** Stops the broker if this process has started it. */
  async stop() {
    await this.#server?.stop();
  }
}

/** The time of messages: locks, times to live, schedules, idleness and duplicate windows. Tokens have the time of the machine. */
class Clock {
  #http;

  constructor(http) {
    this.#http = http;
  }

  /** Moves the time ahead, and returns when everything that is due has happened. */
  advance(duration) {
    return this.#set({ advance: iso(duration) });
  }

  /** Lets the time stand still. */
  freeze() {
    return this.speed(0);
  }

  /** Lets the time run again. */
  run() {
    return this.speed(1);
  }

  /** Lets the time run n times as fast, at most 1000. */
  speed(n) {
    return this.#set({ speed: n });
  }

  /** Returns the time. */
  async now() {
    return new Date((await this.#http.test('GET', 'clock')).now);
  }

  async #set(change) {
    return new Date((await this.#http.test('POST', 'clock', change)).now);
  }
}

/** The stores of a broker, by number. */
class Stores {
  #http;

  constructor(http) {
    this.#http = http;
  }

  /** Stops a store, as if its disk were gone. */
  async stop(store = 0) {
    await this.#http.test('POST', 'faults', { fault: 'stopStore', store });
  }

  /** Starts a store again. */
  async start(store = 0) {
    await this.#http.test('POST', 'faults', { fault: 'startStore', store });
  }
}

