import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { register } from './shared.js';

/** Gives each test of this file a namespace of its own. */
export function useJitney(options = {}) {
  return register({ afterAll, afterEach, beforeAll, beforeEach }, options);
}
