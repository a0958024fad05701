import { register } from './shared.js';

/** Gives each test of this file a namespace of its own. Uses the global functions of Jest. */
export function useJitney(options = {}) {
  const { afterAll, afterEach, beforeAll, beforeEach } = globalThis;
  if (typeof beforeAll !== 'function') {
    throw new Error('Expected the global functions of Jest. Do not set injectGlobals to false.');
  }
  return register({ afterAll, afterEach, beforeAll, beforeEach }, options);
}
