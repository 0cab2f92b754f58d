import type { AgentEvent, EventRecorder } from '../../../../src/nodeagent/events/index.ts';
import {
  type Image,
  type ImageService,
  type PullImageOptions,
  RuntimeError,
} from '../../../../src/nodeagent/runtime/index.ts';

/** An image with one name. */
export const imageOf = (id: string, fields: Partial<Image> = {}): Image => ({
  id,
  tags: [],
  digests: [],
  sizeBytes: 1,
  userId: undefined,
  username: '',
  ...fields,
});

/** Images in memory. Pulls succeed unless `onPull` fails. */
export class FakeImages implements ImageService {
  readonly present = new Map<string, Image>();
  readonly pulls: PullImageOptions[] = [];
  readonly removed: string[] = [];
  mountpoint = '/images';
  lists = 0;
  onPull: (options: PullImageOptions) => Promise<void> = async () => {};
  onInspect: () => void = () => {};

  async listImages(): Promise<readonly Image[]> {
    this.lists += 1;
    return [...this.present.values()];
  }
  async imageStatus(image: string): Promise<Image | undefined> {
    this.onInspect();
    return this.present.get(image) ?? [...this.present.values()].find(({ id }) => id === image);
  }
  async pullImage(options: PullImageOptions): Promise<string> {
    this.pulls.push(options);
    await this.onPull(options);
    this.present.set(options.image, imageOf(`id of ${options.image}`));
    return `id of ${options.image}`;
  }
  async removeImage(image: string): Promise<void> {
    if (image === 'stuck') throw new RuntimeError('failed', 'RemoveImage: stuck');
    this.removed.push(image);
    for (const [name, { id }] of this.present) if (id === image) this.present.delete(name);
  }
  async imageFsInfo() {
    return [{ atMs: 0, mountpoint: this.mountpoint, usedBytes: 0, inodesUsed: 0 }];
  }
}

/** Keeps events, as `type reason message`. */
export class RecordedEvents implements EventRecorder {
  readonly all: AgentEvent[] = [];

  record(event: AgentEvent): void {
    this.all.push(event);
  }

  /** The events since the last call. */
  take(): string[] {
    return this.all.splice(0).map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  }
}
