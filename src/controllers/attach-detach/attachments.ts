import type { Node } from '../../apis/types/core-v1.ts';
import type { VolumeAttachment } from '../../apis/types/storage-v1.ts';
import { errorText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import {
  type AttachableVolume,
  type AttachmentPlace,
  attachmentNameOf,
  keyPrefix,
  readKey,
} from './attachable-volume.ts';
import { type AttachedVolume, isAttached, isDetached } from './decide.ts';

/** How long drivers are waited for. Source: release 1.20, `csiTimeout`. */
const timeoutMs = 120_000;

/** Undefined: it is gone. */
type Seen = (attachment: VolumeAttachment, isGone: boolean) => void;

/** Has drivers attach and detach volumes, by the objects that tell them to, and waits until they have. */
export class Attachments {
  readonly #context: ControllerContext;
  readonly #waiting = new Map<string, Set<Seen>>();

  constructor(context: ControllerContext) {
    this.#context = context;
    const tell = (attachment: VolumeAttachment, isGone: boolean): void => {
      for (const seen of this.#waiting.get(attachment.metadata.name ?? '') ?? []) seen(attachment, isGone);
    };
    context.informers.volumeAttachments().listen({
      onAdd: (attachment) => tell(attachment, false),
      onUpdate: (attachment) => tell(attachment, false),
      onDelete: (attachment) => tell(attachment, true),
    });
  }

  /** @throws Error with what events say */
  async attach({ key, source }: AttachableVolume, node: string): Promise<void> {
    const { client, dialect, signal } = this.#context;
    const place = this.#placeOf(key, node);
    const name = attachmentNameOf(place);
    const body = {
      apiVersion: `${dialect.group('storage')}/v1`,
      kind: 'VolumeAttachment',
      metadata: { name },
      spec: { attacher: place.driver, nodeName: node, source },
    };
    const make = async (): Promise<VolumeAttachment> => {
      try {
        return await client.json<VolumeAttachment>({ method: 'POST', path: this.#path(), body, signal });
      } catch (cause) {
        if (isReason(cause, 'AlreadyExists')) return this.#read(name, place.handle);
        const what = `${dialect.label('csi')}: attacher.Attach failed: ${errorText(cause)}`;
        throw new Error(what, { cause });
      }
    };
    await this.#until(isAttached, name, { handle: place.handle, begin: make });
  }

  /** @throws Error */
  async detach({ key, node }: AttachedVolume, isForced: boolean): Promise<void> {
    const { client, signal } = this.#context;
    if (!isForced) await this.#checkUnused(key, node);
    const place = this.#placeOf(key, node);
    const name = attachmentNameOf(place);
    const remove = async (): Promise<VolumeAttachment | undefined> => {
      try {
        await client.send({ method: 'DELETE', path: this.#path(name), signal });
        return await client.json<VolumeAttachment>({ method: 'GET', path: this.#path(name), signal });
      } catch (error) {
        if (isReason(error, 'NotFound')) return undefined;
        throw error;
      }
    };
    await this.#until(isDetached, name, { handle: place.handle, begin: remove });
  }

  /** Waits for what becomes of an object that was just written. What is told of it meanwhile counts as well. */
  async #until(
    isDone: (attachment: VolumeAttachment | undefined) => boolean,
    name: string,
    {
      handle,
      begin,
    }: { readonly handle: string; readonly begin: () => Promise<VolumeAttachment | undefined> },
  ): Promise<void> {
    const told: Parameters<Seen>[] = [];
    const done = Promise.withResolvers<void>();
    done.promise.catch(() => {}); // what is written may fail first
    let look: Seen = (...args) => told.push(args);
    const stopFollowing = this.#follow(name, (...args) => look(...args));
    const { clock, signal } = this.#context;
    const onAbort = (): void => done.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    let stopTimer = (): void => {};
    try {
      const written = await begin();
      if (isDone(written)) return;
      look = (attachment, isGone) => {
        if (attachment.metadata.uid !== written?.metadata.uid) return;
        try {
          if (isDone(isGone ? undefined : attachment)) done.resolve();
        } catch (error) {
          done.reject(error);
        }
      };
      for (const args of told) look(...args);
      const late = new Error(`attachdetachment timeout for volume ${handle}`);
      stopTimer = clock.setTimer(timeoutMs, () => done.reject(late));
      await done.promise;
    } finally {
      stopTimer();
      stopFollowing();
      signal.removeEventListener('abort', onAbort);
    }
  }

  #follow(name: string, seen: Seen): () => void {
    const all = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, all.add(seen));
    return () => {
      all.delete(seen);
      if (all.size === 0) this.#waiting.delete(name);
    };
  }

  async #read(name: string, handle: string): Promise<VolumeAttachment> {
    const { client, signal } = this.#context;
    try {
      return await client.json<VolumeAttachment>({ method: 'GET', path: this.#path(name), signal });
    } catch (cause) {
      const what = `volume ${handle} has GET error for volume attachment ${name}: ${errorText(cause)}`;
      throw new Error(what, { cause });
    }
  }

  async #checkUnused(key: string, name: string): Promise<void> {
    const { client, signal } = this.#context;
    try {
      const path = resourcePath({ group: '', version: 'v1', resource: 'nodes', name });
      const { status } = await client.json<Node>({ method: 'GET', path, signal });
      if (!status.volumesInUse?.includes(key)) return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      throw error;
    }
    throw new Error('volume is still in use by node, according to Node status');
  }

  #placeOf(key: string, node: string): AttachmentPlace {
    const { dialect } = this.#context;
    const read = readKey(key, dialect);
    if (read === undefined) throw new Error(`${key} does not begin with ${keyPrefix(dialect)}`);
    return { ...read, node };
  }

  #path(name?: string): string {
    const group = this.#context.dialect.group('storage');
    return resourcePath({ group, version: 'v1', resource: 'volumeattachments', name });
  }
}
