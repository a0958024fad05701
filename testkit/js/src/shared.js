// The helper of test frameworks: one broker for all tests of a process or of a whole run, and one namespace for each test.

import { Jitney } from './jitney.js';

/** The variable with the connection string of a broker for the whole run. */
export const VARIABLE = 'JITNEY_TEST_CONNECTION_STRING';

/**
 * Registers the hooks of a test file.
 *
 * @param {{ beforeAll: Function, beforeEach: Function, afterEach: Function, afterAll: Function }} hooks
 * @param {object} options the entities of each namespace, and `start` for a broker of this file
 */
export function register(hooks, { start = {}, ...entities }) {
  let broker;
  let namespace;
  const shared = process.env[VARIABLE];
  hooks.beforeAll(async () => {
    broker = shared ? await Jitney.connect(shared) : await Jitney.start(start);
  }, 60_000);
  hooks.beforeEach(async () => {
    namespace = await broker.namespace(entities);
  });
  hooks.afterEach(async () => {
    const ended = namespace;
    namespace = undefined;
    await ended?.delete();
  });
  hooks.afterAll(async () => {
    await broker?.stop();
  });
  const current = (part) => {
    if (part === undefined) {
      throw new Error('Expected a test that runs: the broker and the namespace exist in tests and in beforeEach only.');
    }
    return part;
  };
  return {
    get broker() {
      return current(broker);
    },
    get namespace() {
      return current(namespace);
    },
    get connectionString() {
      return current(namespace).connectionString;
    },
    get clock() {
      return current(broker).clock;
    },
    get faults() {
      return current(namespace).faults;
    },
  };
}
