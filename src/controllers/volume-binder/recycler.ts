import type { PersistentVolume, Pod } from '../../apis/types/core-v1.ts';
import { asJsonObject, errorText } from '../../base/index.ts';
import { resourcePath, watchEvents } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import { recyclingNamespace, recyclingPodOf } from './recycling-pod.ts';

export interface RecyclerOptions {
  readonly context: ControllerContext;
  /** Tells of what happens to the pod that empties a volume. */
  readonly tell: (volume: PersistentVolume, type: 'Normal' | 'Warning', message: string) => void;
  /** A volume is empty, or could not be emptied, for this reason. */
  readonly done: (volume: PersistentVolume, problem: string | undefined) => Promise<void>;
}

/** Empties volumes by pods, each volume by one at a time. Source: release 1.20, `pkg/volume/util/recyclerclient`. */
export class Recycler {
  readonly #options: RecyclerOptions;
  /** Names of volumes that are being emptied. */
  readonly #running = new Set<string>();
  /** Who waits for the end of a pod, by its uid. */
  readonly #waiting = new Map<string, (problem: string | undefined) => void>();

  constructor(options: RecyclerOptions) {
    this.#options = options;
    options.context.informers.pods().listen({
      onAdd: (pod) => this.#look(pod),
      onUpdate: (pod) => this.#look(pod),
      onDelete: (pod) => this.#end(pod, 'recycler pod was deleted'),
    });
  }

  /** Begins, unless that was done already. */
  start(volume: PersistentVolume): void {
    const { name = '' } = volume.metadata;
    if (this.#running.has(name)) return;
    this.#running.add(name);
    const { signal, logger } = this.#options.context;
    this.#recycle(volume)
      // The next look at the volume tries again.
      .catch((error) => signal.aborted || logger.error('volume not recycled', { name, error }))
      .finally(() => this.#running.delete(name));
  }

  async #recycle(volume: PersistentVolume): Promise<void> {
    const { client, signal } = this.#options.context;
    const { name } = volume.metadata;
    const path = resourcePath({ group: '', version: 'v1', resource: 'persistentvolumes', name });
    // What is shown here may be old, and what somebody else has by now must stay.
    const { spec } = await client.json<PersistentVolume>({ method: 'GET', path, signal });
    if (spec.claimRef?.uid !== volume.spec.claimRef?.uid) return;
    const problem = await this.#empty(volume);
    if (!signal.aborted) await this.#options.done(volume, problem);
  }

  /** Resolves with what went wrong. */
  async #empty(volume: PersistentVolume): Promise<string | undefined> {
    const { client, signal } = this.#options.context;
    const body = recyclingPodOf(volume);
    if (body === undefined) return undefined;
    const { name = '' } = body.metadata;
    const pods = { group: '', version: 'v1', resource: 'pods', namespace: recyclingNamespace };
    const remove = (): Promise<string | undefined> =>
      client
        .send({ method: 'DELETE', path: resourcePath({ ...pods, name }), body: {}, signal })
        .then(() => undefined, errorText);
    const over = new AbortController();
    try {
      this.#follow(volume, name, AbortSignal.any([signal, over.signal]));
      const created = await client.json<Pod>({ method: 'POST', path: resourcePath(pods), body, signal });
      const problem = await this.#untilEnded(created, over.signal);
      const kept = await remove();
      if (problem !== undefined) return `failed to recycle volume: ${problem}`;
      return kept && `failed to delete recycler pod: ${kept}`;
    } catch (error) {
      if (!isReason(error, 'AlreadyExists'))
        return `unexpected error creating recycler pod:  ${errorText(error)}`;
      // It may be left of an earlier try, or forged.
      const kept = await remove();
      if (kept === undefined) return 'old recycler pod found, will retry later';
      return `failed to delete old recycler pod ${recyclingNamespace}/${name}: ${kept}`;
    } finally {
      over.abort();
    }
  }

  #untilEnded({ metadata }: Pod, over: AbortSignal): Promise<string | undefined> {
    const { signal, informers } = this.#options.context;
    return new Promise((resolve) => {
      this.#waiting.set(metadata.uid ?? '', resolve);
      signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over });
      // It may have ended before its creation was answered.
      const pod = informers.pods().get(recyclingNamespace, metadata.name ?? '');
      if (pod !== undefined) this.#look(pod);
    });
  }

  #look(pod: Pod): void {
    const { phase, message } = pod.status;
    if (phase === 'Succeeded') this.#end(pod, undefined);
    if (phase === 'Failed') this.#end(pod, message || 'pod failed, pod.Status.Message unknown');
  }

  #end({ metadata: { uid = '' } }: Pod, problem: string | undefined): void {
    this.#waiting.get(uid)?.(problem);
    this.#waiting.delete(uid);
  }

  /** Events of the pod are told of the volume too. */
  async #follow(volume: PersistentVolume, name: string, signal: AbortSignal): Promise<void> {
    const { client, logger } = this.#options.context;
    const path = resourcePath({
      group: '',
      version: 'v1',
      resource: 'events',
      namespace: recyclingNamespace,
    });
    const query = { fieldSelector: `involvedObject.name=${name}` };
    try {
      for await (const { type, object } of watchEvents(client, { method: 'GET', path, query, signal })) {
        const { type: kind, message = '' } = asJsonObject(object);
        if (type !== 'ADDED') continue;
        this.#options.tell(volume, kind === 'Warning' ? kind : 'Normal', `Recycler pod: ${message}`);
      }
    } catch (error) {
      if (!signal.aborted) logger.debug('events of a pod are not followed', { name, error });
    }
  }
}
