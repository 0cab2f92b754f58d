import { statfs } from 'node:fs/promises';
import type { Clock } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { FilesystemUsage, Image, ImageService } from '../runtime/index.ts';
import { type Engine, orUndefined } from './engine.ts';
import { callFailure } from './engine-failure.ts';
import type { EngineInfo, ImageDetails, ImageSummary } from './engine-types.ts';
import { pullImage } from './pull-image.ts';

/** The engine, and how long a pull may make no progress. */
export interface ImageCallsOptions {
  readonly engine: Engine;
  /** A pull without progress for this time is aborted. */
  readonly progressDeadlineMs: number;
  /** Called after names of images have changed. */
  readonly onChange: () => void;
}

/** How long disk usage is reused: the engine computes it anew for each request. */
const usageKeptMs = 60_000;
const noneName = /<none>/;

/** The calls about images. */
export function createImageCalls({ engine, progressDeadlineMs, onChange }: ImageCallsOptions): ImageService {
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  const usage = new LastingAnswer(engine.clock, () => readUsage(engine));

  async function details(call: string, image: string): Promise<ImageDetails | undefined> {
    if (image === '') return undefined;
    const path = `/images/${encodeName(image)}/json`;
    return await orUndefined(connection.ask<ImageDetails>({ call, method: 'GET', path, timeoutMs }));
  }

  return {
    async listImages() {
      const request = { call: 'ListImages', method: 'GET', path: '/images/json', timeoutMs } as const;
      const images = (await connection.ask<readonly ImageSummary[] | undefined>(request)) ?? [];
      return images.map((each) => readImage(each, ''));
    },
    async imageStatus(image) {
      const found = await details('ImageStatus', image);
      return found && readImage(found, found.Config?.User ?? '');
    },
    async pullImage(options) {
      await pullImage(engine, options, progressDeadlineMs);
      onChange();
      const pulled = await details('PullImage', options.image);
      if (pulled !== undefined) return pulled.Id;
      throw callFailure('PullImage', 'failed', `the engine has no image "${options.image}" after its pull`);
    },
    async removeImage(image) {
      const call = 'RemoveImage';
      const found = await details(call, image);
      if (found === undefined) return;
      const names = namesOf(found.RepoTags);
      // The engine removes an image with several names by its id only with force, which would also remove it from
      // containers.
      for (const name of names.length > 1 ? names : [found.Id]) {
        const path = `/images/${encodeName(name)}`;
        await orUndefined(connection.ask({ call, method: 'DELETE', path, timeoutMs }));
      }
      onChange();
    },
    async imageFsInfo() {
      connection.check();
      return await usage.get();
    },
  };
}

/** How statuses of containers show an image. */
export interface ShownImage {
  /** Its first name with a tag; undefined when it has none. */
  readonly name: string | undefined;
  /** Its first name with a digest, or its id. */
  readonly ref: string;
}

/** What images of containers are called. */
export class ImageNames {
  readonly #engine: Engine;
  readonly #scheme: string;
  readonly #known = new Map<string, ShownImage>();

  constructor(engine: Engine, dialect: Dialect) {
    this.#engine = engine;
    this.#scheme = dialect.spell('legacyrt');
  }

  async of(imageId: string): Promise<ShownImage> {
    const { connection, requestTimeoutMs: timeoutMs } = this.#engine;
    const before = this.#known.get(imageId);
    if (before !== undefined) return before;
    const path = `/images/${encodeName(imageId)}/json`;
    const request = { call: 'ContainerStatus', method: 'GET', path, timeoutMs } as const;
    // It may have been removed by force while a container uses it.
    const image = await orUndefined(connection.ask<ImageDetails>(request));
    const [digest] = namesOf(image?.RepoDigests ?? null);
    const ref =
      digest === undefined ? `${this.#scheme}://${imageId}` : `${this.#scheme}-pullable://${digest}`;
    const shown = { name: namesOf(image?.RepoTags ?? null)[0], ref };
    if (this.#known.size >= maxRefs) this.clear();
    if (image !== undefined) this.#known.set(imageId, shown);
    return shown;
  }

  /** Forgets all, after names have changed. */
  clear(): void {
    this.#known.clear();
  }
}

const maxRefs = 1000;

function readImage({ Id, RepoTags, RepoDigests, Size }: ImageSummary, user: string): Image {
  const [name = ''] = user.split(':');
  const isNumber = /^\d{1,10}$/.test(name);
  return {
    id: Id,
    tags: namesOf(RepoTags),
    digests: namesOf(RepoDigests),
    sizeBytes: Size,
    userId: isNumber ? Number(name) : undefined,
    username: isNumber ? '' : name,
  };
}

/** The engine shows `<none>` for an image whose name another one has taken. */
const namesOf = (names: readonly string[] | null): readonly string[] =>
  (names ?? []).filter((name) => !noneName.test(name));

/** Names have slashes that belong to the path. */
const encodeName = (name: string): string => name.split('/').map(encodeURIComponent).join('/');

async function readUsage({
  connection,
  requestTimeoutMs,
  clock,
}: Engine): Promise<readonly FilesystemUsage[]> {
  const common = { call: 'ImageFsInfo', method: 'GET', timeoutMs: requestTimeoutMs } as const;
  const { DockerRootDir } = await connection.ask<EngineInfo>({ ...common, path: '/info' });
  const query = { type: 'image' };
  const { LayersSize = 0 } = await connection.ask<{ LayersSize?: number }>({
    ...common,
    path: '/system/df',
    query,
  });
  const { files, ffree } = await statfs(DockerRootDir).catch(() => ({ files: 0, ffree: 0 }));
  return [
    {
      atMs: clock.nowMs(),
      mountpoint: DockerRootDir,
      usedBytes: LayersSize,
      // The engine does not count inodes; those of the whole file system are the best estimate.
      inodesUsed: Math.max(0, files - ffree),
    },
  ];
}

/** An answer that is reused for a while. Failures are not. */
class LastingAnswer<Answer> {
  readonly #clock: Clock;
  readonly #ask: () => Promise<Answer>;
  #answer: Promise<Answer> | undefined;
  #askedAtMs = 0;

  constructor(clock: Clock, ask: () => Promise<Answer>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  get(): Promise<Answer> {
    const nowMs = this.#clock.nowMs();
    if (this.#answer !== undefined && nowMs - this.#askedAtMs < usageKeptMs) return this.#answer;
    const answer = this.#ask();
    this.#answer = answer;
    this.#askedAtMs = nowMs;
    answer.catch(() => {
      if (this.#answer === answer) this.#answer = undefined;
    });
    return answer;
  }
}
