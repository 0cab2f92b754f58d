import { join } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { EventRecorder } from '../../nodeagent/events/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import {
  loadManifestDecoder,
  type ManifestDecoder,
  openSubmittedPods,
  type PodSource,
  type PodSourceName,
  podAnnotationNames,
  type SubmittedPods,
  startApiSource,
  startFileSource,
  startUrlSource,
} from '../../nodeagent/sources/index.ts';
import { countErrors } from './count-errors.ts';

export interface PodSourcesOptions {
  readonly config: AgentConfig;
  readonly nodeName: string;
  readonly dialect: Dialect;
  /** Undefined: without an API server. */
  readonly client: RestClient | undefined;
  /** A source hands over all of its pods. */
  readonly onPods: (source: PodSourceName, pods: readonly Pod[]) => void;
  readonly onMirrors: (pods: readonly Pod[]) => void;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Folder of submitted pods, below the agent's root folder. */
const submittedFolder = 'submitted-pods';

/** The sources of pods that the options name. They are silent until they are started. */
export class PodSources implements AsyncDisposable {
  readonly #options: PodSourcesOptions;
  readonly #logger: Logger;
  readonly #expected: readonly PodSourceName[];
  readonly #spoken = new Set<PodSourceName>();
  readonly #running: PodSource[] = [];
  readonly #staticRead = Promise.withResolvers<void>();
  #failures = 0;

  constructor(options: PodSourcesOptions) {
    const { config, client, logger } = options;
    this.#options = options;
    this.#logger = countErrors(logger, () => {
      this.#failures += 1;
    });
    this.#expected = [
      'submitted',
      ...(config.podManifestPath === '' ? [] : (['file'] as const)),
      ...(config.manifestUrl === '' ? [] : (['http'] as const)),
      ...(client === undefined ? [] : (['api'] as const)),
    ];
  }

  /** Whether each has handed over its pods at least once; never in a single run, whose agent removes no pods of others. */
  haveSpoken(): boolean {
    return !this.#options.config.runOnce && this.#expected.every((source) => this.#spoken.has(source));
  }

  /** Errors of the sources of static pods: manifests that could not be read or used. */
  failures(): number {
    return this.#failures;
  }

  /** Resolves when the sources of static pods have been read once. */
  get whenStaticRead(): Promise<void> {
    return this.#staticRead.promise;
  }

  /** Gives the pods that were submitted to the agent itself. To be called once. @throws Error when they cannot be read */
  async start(): Promise<SubmittedPods> {
    const { config, nodeName, dialect, events, clock } = this.#options;
    const gates = new Set(Object.entries(config.features).flatMap(([name, isOn]) => (isOn ? [name] : [])));
    const decoder = await loadManifestDecoder({ dialect, nodeName, gates });
    const seenAnnotation = podAnnotationNames(dialect).seen;
    const common = { decoder, seenAnnotation, events, clock, logger: this.#logger };
    const statics = [...this.#startFile(common), ...this.#startUrl(common)];
    this.#running.push(...statics);
    void Promise.all(statics.map(({ whenRead }) => whenRead)).then(() => this.#staticRead.resolve());
    const directory = join(config.rootDir, submittedFolder);
    const onPods = this.#handOver('submitted');
    const submitted = await openSubmittedPods({ ...common, directory, onPods });
    this.#startApi();
    return submitted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.splice(0).map((each) => each[Symbol.asyncDispose]()));
  }

  #handOver(source: PodSourceName): (pods: readonly Pod[]) => void {
    return (pods) => {
      this.#spoken.add(source);
      this.#options.onPods(source, pods);
    };
  }

  #startFile(common: CommonOptions): PodSource[] {
    const { podManifestPath: path, fileCheckFrequencyMs: frequencyMs } = this.#options.config;
    if (path === '') return [];
    return [startFileSource({ ...common, path, frequencyMs, onPods: this.#handOver('file') })];
  }

  #startUrl(common: CommonOptions): PodSource[] {
    const { manifestUrl: url, manifestUrlHeader: headers, httpCheckFrequencyMs } = this.#options.config;
    if (url === '') return [];
    const frequencyMs = httpCheckFrequencyMs;
    return [startUrlSource({ ...common, url, headers, frequencyMs, onPods: this.#handOver('http') })];
  }

  #startApi(): void {
    const { client, nodeName, dialect, clock, onMirrors } = this.#options;
    if (client === undefined) return;
    const handOver = this.#handOver('api');
    this.#running.push(
      startApiSource({
        client,
        nodeName,
        dialect,
        clock,
        logger: this.#logger,
        onPods(pods, mirrors) {
          handOver(pods);
          onMirrors(mirrors);
        },
      }),
    );
  }
}

interface CommonOptions {
  readonly decoder: ManifestDecoder;
  readonly seenAnnotation: string;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}
