import type { Ctl } from '../ctl.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { Report } from './report.ts';

/** What a describer works with. */
export interface DescribeContext {
  readonly ctl: Ctl;
  readonly object: WireObject;
  readonly report: Report;
  readonly nowMs: number;
}

/** Writes everything about one object but its events. May ask the server for what belongs to it. */
export type Describer = (context: DescribeContext) => Promise<void>;
