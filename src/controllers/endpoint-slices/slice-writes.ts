import type { EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import { Expectations } from '../workloads/expectations.ts';

/** What makes the slices of a service right. */
export interface SlicePlan {
  readonly creations: readonly EndpointSlice[];
  readonly updates: readonly EndpointSlice[];
  readonly deletions: readonly EndpointSlice[];
}

/** Writes slices. Their names are chance: one that was created and is not seen yet would be created again. */
export class SliceWrites {
  readonly #context: ControllerContext;
  readonly #expectations: Expectations;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#expectations = new Expectations(context.clock);
  }

  /** Whether all slices that were created for a service are seen. */
  isSeen(key: string): boolean {
    return this.#expectations.isFulfilled(key);
  }

  creationSeen(key: string): void {
    this.#expectations.creationObserved(key);
  }

  /** The service is gone. */
  forget(key: string): void {
    this.#expectations.forget(key);
  }

  /** @throws StatusError or TransportError; what was done until then is done. */
  async carryOut(key: string, { creations, updates, deletions }: SlicePlan): Promise<void> {
    await this.#create(key, creations);
    for (const slice of updates) await this.#send('PUT', slice, slice);
    for (const slice of deletions) await this.#send('DELETE', slice);
  }

  async #create(key: string, slices: readonly EndpointSlice[]): Promise<void> {
    if (slices.length === 0) return;
    this.#expectations.expect(key, { creations: slices.length });
    let done = 0;
    try {
      for (const slice of slices) {
        await this.#send('POST', slice, slice);
        done++;
      }
    } finally {
      if (done < slices.length) this.#expectations.creationObserved(key, slices.length - done);
    }
  }

  async #send(
    method: 'POST' | 'PUT' | 'DELETE',
    { metadata }: EndpointSlice,
    body?: EndpointSlice,
  ): Promise<void> {
    const { client, signal, dialect } = this.#context;
    const { namespace, name } = metadata;
    const resource = { group: dialect.group('discovery'), version: 'v1beta1', resource: 'endpointslices' };
    try {
      await client.send({ method, path: resourcePath({ ...resource, namespace, name }), body, signal });
    } catch (error) {
      if (method !== 'DELETE' || !isReason(error, 'NotFound')) throw error;
    }
  }
}
