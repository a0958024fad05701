import type { JitneyInTest, UseOptions } from './shared.js';

/** Gives each test of this file a namespace of its own, on the broker of `global-setup` or on one for this file. */
export function useJitney(options?: UseOptions): JitneyInTest;
