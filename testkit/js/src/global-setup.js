// One broker for a whole run: `globalSetup` of Vitest and of Jest.

import { Jitney } from './jitney.js';
import { VARIABLE } from './shared.js';

const BROKER = Symbol.for('jitney-js-testkit.broker');

/** Starts the broker, unless the variable JITNEY_TEST_CONNECTION_STRING names one. */
async function setup() {
  if (!process.env[VARIABLE]) {
    const broker = await Jitney.start();
    globalThis[BROKER] = broker;
    process.env[VARIABLE] = broker.connectionString;
  }
}

/** Stops the broker that `setup` has started. */
export async function teardown() {
  const broker = globalThis[BROKER];
  if (broker !== undefined) {
    delete globalThis[BROKER];
    delete process.env[VARIABLE];
    await broker.stop();
  }
}

/** Starts the broker, and returns the action that stops it, which Vitest calls. Jest calls that of `global-teardown`. */
export default async function start() {
  await setup();
  return teardown;
}
