import type { Clock, Logger } from '../base/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { DiscoveryReader } from './discovery-reader.ts';

/** What every controller runs with. */
export interface ControllerContext {
  readonly client: RestClient;
  readonly discovery: DiscoveryReader;
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly clock: Clock;
  /** A number from 0 to 1, for jitter. */
  readonly random: () => number;
  /** Ends the controller. */
  readonly signal: AbortSignal;
}

/** A control loop. It runs until the signal of its context aborts; the promise resolves when nothing runs any more. */
export interface Controller {
  /** As `--controllers` spells it. */
  readonly name: string;
  run(context: ControllerContext): Promise<void>;
}
