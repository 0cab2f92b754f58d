import type { RuntimeClass } from '../../apis/types/node-v1.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { type ReadObjectOptions, readObject } from './object-source.ts';

/** What pods name when they ask for another runtime than the usual one. */
export interface RuntimeClasses {
  /**
   * Asked now, because few pods have one; as it was last seen while the API server does not answer, since handlers of a
   * class never change. Undefined when there is none.
   *
   * @throws StatusError or TransportError for one that was never seen
   */
  runtimeClass(name: string): Promise<RuntimeClass | undefined>;
}

/** Nothing is asked before the first question. */
export function createRuntimeClasses(options: Omit<ReadObjectOptions, 'resource'>): RuntimeClasses {
  const reading = { ...options, resource: 'runtimeclasses' } as const;
  const seen = new Map<string, RuntimeClass>();
  return {
    async runtimeClass(name) {
      try {
        const found = await readObject<RuntimeClass>(reading, '', name);
        if (found === undefined) seen.delete(name);
        else seen.set(name, found);
        return found;
      } catch (error) {
        const last = error instanceof StatusError && error.code < 500 ? undefined : seen.get(name);
        if (last === undefined) throw error;
        return last;
      }
    },
  };
}
