import type { Dialect } from '../../machinery/dialect.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { CalledService } from './callees.ts';

/** What objects are judged by. */
export interface ClusterFacts {
  readonly dialect: Dialect;
  /** By the clock of the server. */
  readonly nowMs: number;
  readonly serverVersion: string;
  /** Services that the server calls, by `keyOf`. */
  readonly backends: ReadonlyMap<string, Backend>;
  /** Nodes that are not ready, as `node/NAME`. */
  readonly lostNodes: ReadonlySet<string>;
  /** Work that some holder of a lease does. */
  readonly worksDone: ReadonlySet<string>;
}

/** What is known of a service; undefined members of objects that are not there. */
export type Backend =
  | { readonly kind: 'unread'; readonly message: string }
  | {
      readonly kind: 'read';
      readonly service: WireObject | undefined;
      readonly endpoints: WireObject | undefined;
    };

/** `NAMESPACE/NAME`: how services are known here. */
export const keyOf = ({ namespace, name }: CalledService): string => `${namespace}/${name}`;
