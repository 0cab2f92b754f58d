import type { PersistentVolume, PersistentVolumeClaim } from '../../apis/types/core-v1.ts';
import { pause } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { createWorkQueue, type WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { keyOf } from '../shared-informers.ts';
import { Written } from '../written.ts';
import { decideClaim } from './decide-claim.ts';
import { decideRecycled, decideVolume } from './decide-volume.ts';
import { Recycler } from './recycler.ts';
import type { BinderEvent, BinderState, BinderStep, BinderWrite } from './state.ts';

const retries = { firstRetryMs: 50, maxRetryMs: 30_000 };

/** Writes that one object may take in a row; more mean that somebody else writes against them. */
const maxSteps = 8;

/**
 * Binds claims to volumes that are there, says what becomes of both, and reclaims volumes whose claim is gone. It makes no volumes:
 * those of a class with a provisioner come from outside.
 */
export const volumeBinderController: Controller = {
  name: 'persistentvolume-binder',
  run: (context) => new BinderLoop(context).run(),
};

class BinderLoop {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;
  readonly #volumes: Written<PersistentVolume>;
  readonly #claims: Written<PersistentVolumeClaim>;
  readonly #state: BinderState;
  readonly #synced: Promise<unknown>;
  /** Volumes by `/NAME`, claims by `NAMESPACE/NAME`. */
  readonly #queue: WorkQueue<string>;
  readonly #recycler: Recycler;

  constructor(context: ControllerContext) {
    const { informers, clock, random, signal, logger, dialect, migratedKinds } = context;
    this.#context = context;
    this.#events = createControllerEvents(context, 'persistentvolume-controller');
    this.#volumes = new Written(informers.persistentVolumes());
    this.#claims = new Written(informers.persistentVolumeClaims());
    const classes = informers.storageClasses();
    const pods = informers.pods();
    const followed = [informers.persistentVolumes(), informers.persistentVolumeClaims(), classes, pods];
    this.#synced = Promise.all(followed.map(({ whenSynced }) => whenSynced));
    this.#synced.catch(() => {}); // the signal aborted: nothing is worked on any more
    this.#state = {
      dialect,
      migratedKinds,
      volume: (name) => this.#volumes.get('', name),
      volumes: () => this.#volumes.list(),
      claim: (namespace, name) => this.#claims.get(namespace, name),
      storageClass: (name) => classes.get('', name),
      podsIn: (namespace) => pods.listIn(namespace),
    };
    this.#queue = createWorkQueue<string>({
      work: (key) => this.#sync(key),
      ...retries,
      metrics: context.queueMetrics,
      random,
      clock,
      signal,
      onError(error, object, failures) {
        if (signal.aborted) return;
        if (isReason(error, 'Conflict')) logger.debug('sync postponed', { object, failures });
        else logger.error('sync failed', { object, failures, error });
      },
    });
    this.#recycler = new Recycler({
      context,
      tell: (volume, type, message) => this.#record(volume, { type, reason: 'RecyclerPod', message }),
      done: (volume, problem) => this.#finishRecycling(volume, problem),
    });
  }

  async run(): Promise<void> {
    const { clock, signal, settings, informers } = this.#context;
    const add = (object: ApiObject): void => this.#queue.add(keyOf(object));
    informers.persistentVolumes().listen({
      onAdd: add,
      onUpdate: add,
      onDelete: (volume) => {
        this.#volumes.forget(volume);
        const { claimRef } = volume.spec;
        if (claimRef !== undefined) this.#queue.add(`${claimRef.namespace}/${claimRef.name}`);
      },
    });
    informers.persistentVolumeClaims().listen({
      onAdd: add,
      onUpdate: add,
      onDelete: (claim) => {
        this.#claims.forget(claim);
        if (claim.spec.volumeName) this.#queue.add(`/${claim.spec.volumeName}`);
      },
    });
    while (await pause(clock, settings.pvclaimbinderSyncPeriodMs, signal)) {
      for (const volume of this.#volumes.list()) add(volume);
      for (const claim of informers.persistentVolumeClaims().list()) add(claim);
    }
    await this.#queue.done;
  }

  async #sync(key: string): Promise<void> {
    await this.#synced;
    const [namespace = '', name = ''] = key.split('/');
    for (let step = 0; step < maxSteps; step++) {
      const volume = namespace === '' ? this.#volumes.get('', name) : undefined;
      const claim = namespace === '' ? undefined : this.#claims.get(namespace, name);
      const about = volume ?? claim;
      if (about === undefined) return;
      const next = volume ? decideVolume(volume, this.#state) : claim && decideClaim(claim, this.#state);
      if (next === undefined) break;
      await this.#take(next, about);
      if (next.write?.kind !== 'claim' && next.write?.kind !== 'volume') break;
    }
    // A claim that its volume waits for completes the binding.
    const { claimRef } = this.#state.volume(namespace === '' ? name : '')?.spec ?? {};
    if (claimRef === undefined) return;
    const promised = this.#claims.get(claimRef.namespace ?? '', claimRef.name ?? '');
    if (promised && !promised.spec.volumeName) this.#queue.add(keyOf(promised));
  }

  async #take({ write, events = [] }: BinderStep, about: ApiObject): Promise<void> {
    if (write !== undefined) await this.#write(write);
    for (const event of events) this.#record(event.claim ?? about, event);
  }

  async #finishRecycling({ metadata }: PersistentVolume, problem: string | undefined): Promise<void> {
    const volume = this.#volumes.get('', metadata.name ?? '');
    if (volume === undefined || volume.metadata.uid !== metadata.uid) return;
    const step = decideRecycled(volume, problem, this.#state);
    if (step !== undefined) await this.#take(step, volume);
  }

  async #write(write: BinderWrite): Promise<void> {
    const { client, signal, logger } = this.#context;
    if (write.kind === 'recycling') {
      this.#recycler.start(write.object);
      return;
    }
    const resource = write.kind === 'claim' ? 'persistentvolumeclaims' : 'persistentvolumes';
    const { namespace, name } = write.object.metadata;
    const path = resourcePath({ group: '', version: 'v1', resource, namespace, name });
    if (write.kind === 'deletion') {
      // The directory is on a node, and may be anybody's: it is left to the operator.
      logger.info('volume deleted, its directory stays', { name, path: write.object.spec.hostPath?.path });
      await client.send({ method: 'DELETE', path, signal });
      return;
    }
    const put = <T>(): Promise<T> =>
      client.json<T>({
        method: 'PUT',
        path: write.isStatus ? `${path}/status` : path,
        body: write.object,
        signal,
      });
    if (write.kind === 'claim') this.#claims.set(await put());
    else this.#volumes.set(await put());
  }

  #record({ kind, metadata }: ApiObject, { type, reason, message }: BinderEvent): void {
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
    const named = kind || (namespace === '' ? 'PersistentVolume' : 'PersistentVolumeClaim');
    const about = { apiVersion: 'v1', kind: named, namespace, name, uid, resourceVersion };
    this.#events.record(about, type, reason, message);
  }
}
