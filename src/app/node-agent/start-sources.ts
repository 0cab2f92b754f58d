import { join } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import {
  loadManifestDecoder,
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

export interface SourcesInputs {
  readonly config: AgentConfig;
  readonly nodeName: string;
  readonly dialect: Dialect;
  /** Undefined: without an API server. */
  readonly client: RestClient | undefined;
  readonly onPods: (source: PodSourceName, pods: readonly Pod[]) => void;
  readonly onMirrors: (pods: readonly Pod[]) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The sources that the options name. */
export interface Sources extends AsyncDisposable {
  readonly submitted: SubmittedPods;
  /** Whether each has handed over its pods at least once. */
  haveSpoken(): boolean;
  /** Errors of the sources of static pods: manifests that could not be read or used. */
  failures(): number;
  /** Resolves when the sources of static pods have been read once. */
  readonly whenStaticRead: Promise<void>;
}

/** Folder of submitted pods, below the agent's root folder. */
const submittedFolder = 'submitted-pods';

export async function startSources(inputs: SourcesInputs): Promise<Sources> {
  const { config, nodeName, dialect, client, onPods, onMirrors, clock } = inputs;
  let failures = 0;
  const logger = countErrors(inputs.logger, () => {
    failures++;
  });
  const spoken = new Set<PodSourceName>();
  const expected: PodSourceName[] = ['submitted'];
  const hand = (source: PodSourceName) => (pods: readonly Pod[]) => {
    spoken.add(source);
    onPods(source, pods);
  };
  const gates = new Set(Object.entries(config.features).flatMap(([name, isOn]) => (isOn ? [name] : [])));
  const decoder = await loadManifestDecoder({ dialect, nodeName, gates });
  const common = { decoder, seenAnnotation: podAnnotationNames(dialect).seen, clock, logger };
  const statics: PodSource[] = [];
  if (config.podManifestPath !== '') {
    expected.push('file');
    const frequencyMs = config.fileCheckFrequencyMs;
    statics.push(
      startFileSource({ ...common, path: config.podManifestPath, frequencyMs, onPods: hand('file') }),
    );
  }
  if (config.manifestUrl !== '') {
    expected.push('http');
    statics.push(
      startUrlSource({
        ...common,
        url: config.manifestUrl,
        headers: config.manifestUrlHeader,
        frequencyMs: config.httpCheckFrequencyMs,
        onPods: hand('http'),
      }),
    );
  }
  const directory = join(config.rootDir, submittedFolder);
  const submitted = await openSubmittedPods({ ...common, directory, onPods: hand('submitted') });
  const api =
    client &&
    startApiSource({
      client,
      nodeName,
      dialect,
      clock,
      logger,
      onPods(pods, mirrors) {
        hand('api')(pods);
        onMirrors(mirrors);
      },
    });
  if (api !== undefined) expected.push('api');
  const whenStaticRead = Promise.all(statics.map(({ whenRead }) => whenRead)).then(() => {});
  return {
    submitted,
    // A single run leaves alone what it does not know: pods of the API server may run beside its own.
    haveSpoken: () => !config.runOnce && expected.every((source) => spoken.has(source)),
    failures: () => failures,
    whenStaticRead,
    async [Symbol.asyncDispose]() {
      await Promise.all(
        [...statics, ...(api === undefined ? [] : [api])].map((each) => each[Symbol.asyncDispose]()),
      );
    },
  };
}
