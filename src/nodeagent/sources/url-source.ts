import type { Pod } from '../../apis/types/core-v1.ts';
import { type Clock, errorText, type Logger } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import { fetchManifest } from './fetch-manifest.ts';
import type { ManifestDecoder } from './manifest-decoder.ts';
import { ManifestError } from './manifest-error.ts';
import { maxManifestBytes } from './parse-manifest.ts';
import { PodSet } from './pod-set.ts';
import type { PodSource, PodsHandler } from './pod-source.ts';
import { PollLoop } from './poll-loop.ts';

/** What following a manifest URL takes. */
export interface UrlSourceOptions {
  readonly url: string;
  /** Sent with each request, values in the order given. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly frequencyMs: number;
  readonly decoder: ManifestDecoder;
  readonly onPods: PodsHandler;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** As release 1.20's HTTP client has it. */
const timeoutMs = 10_000;
/** Failures in a row that are logged as errors; later ones only for debugging. */
const loggedFailures = 3;
/** Longest piece of an answer that messages show. */
const maxShownLength = 1024;

/**
 * Asks a URL for a pod or a `PodList`, again and again. An empty answer removes the pods; any failure keeps them, and a
 * list with one unusable pod is a failure. An answer that did not change is not decoded again.
 */
export function startUrlSource(options: UrlSourceOptions): PodSource {
  const { clock, frequencyMs } = options;
  const logger = options.logger.child({ source: 'http' });
  const seenAnnotation = options.decoder.annotations.seen;
  const reader = new UrlReader(options, new PodSet({ ...options, source: 'http', seenAnnotation, logger }));
  let failures = 0;

  const poll = async (signal: AbortSignal): Promise<void> => {
    try {
      await reader.read(signal);
      if (failures > 0) logger.info('manifest URL read');
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const level = failures <= loggedFailures ? 'error' : 'debug';
      const note = failures === loggedFailures ? '; further failures are logged for debugging only' : '';
      logger[level](`failed to read pods from URL${note}`, { error: errorText(error) });
      failures++;
    }
  };
  const loop = new PollLoop({ poll, frequencyMs, clock });
  return { whenRead: loop.whenPolled, [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose]() };
}

/** Turns answers into pods. */
class UrlReader {
  readonly #options: UrlSourceOptions;
  readonly #pods: PodSet;
  /** The last answer that was looked at. */
  #body: Buffer | undefined;

  constructor(options: UrlSourceOptions, pods: PodSet) {
    this.#options = options;
    this.#pods = pods;
  }

  /** @throws Error for every reason to keep the pods, and for an empty answer, which removes them. */
  async read(signal: AbortSignal): Promise<void> {
    const { url, headers } = this.#options;
    const answer = await fetchManifest(url, { headers, timeoutMs, maxBytes: maxManifestBytes, signal });
    const { status, statusText, body } = answer;
    if (status !== 200) throw new Error(`${url}: ${status} ${statusText}`);
    if (signal.aborted) return;
    if (body.length === 0) {
      this.#body = undefined;
      this.#pods.replace([]);
      throw new Error(`zero-length data received from ${url}`);
    }
    if (this.#body?.equals(body)) return;
    this.#body = body;
    this.#pods.replace(this.#decode(body));
  }

  #decode(body: Buffer): Pod[] {
    const { decoder, url, clock } = this.#options;
    try {
      return decoder.decodePods(body, { source: 'http', location: url }, clock.nowMs());
    } catch (cause) {
      if (!(cause instanceof ManifestError) || cause.isDecoded) throw cause;
      const shown = body.toString('utf8', 0, maxShownLength);
      const message = `${url}: received '${shown}', but couldn't parse as single or multiple pods (${cause.message})`;
      throw new ManifestError(message, { isDecoded: false, cause });
    }
  }
}
