import type { Clock, Entities, Faults, Jitney, Namespace, StartOptions } from './index.js';

/** The broker and the namespace of the test that runs. */
export interface JitneyInTest {
  readonly broker: Jitney;
  readonly namespace: Namespace;
  readonly connectionString: string;
  readonly clock: Clock;
  readonly faults: Faults;
}

export interface UseOptions extends Entities {
  /** One element of `UserConfig.Namespaces` of the emulator's file, in place of `queues` and `topics`. */
  config?: object;
  /** The options of a broker for this file. The broker of `global-setup` takes precedence. */
  start?: StartOptions;
}
