import type { IncomingMessage } from 'node:http';
import { type PullImageOptions, type RegistryCredentials, RuntimeError } from '../runtime/index.ts';
import type { Engine } from './engine.ts';
import { callFailure } from './engine-failure.ts';

const call = 'PullImage';
const maxLineBytes = 1024 * 1024;

/**
 * Has the engine pull an image, and waits until it is done. There is no limit of time as long as it makes progress.
 *
 * @throws RuntimeError `failed` with the engine's words, `cancelled` when the caller or the deadline ends it
 */
export async function pullImage(
  engine: Engine,
  options: PullImageOptions,
  progressDeadlineMs: number,
): Promise<void> {
  const { connection, clock } = engine;
  const { image, credentials, signal } = options;
  const stalled = new AbortController();
  let cancelTimer = (): void => {};
  const progress = (): void => {
    cancelTimer();
    if (progressDeadlineMs > 0) cancelTimer = clock.setTimer(progressDeadlineMs, () => stalled.abort());
  };
  const signals = signal === undefined ? [stalled.signal] : [stalled.signal, signal];
  try {
    progress();
    const answer = await connection.stream({
      call,
      method: 'POST',
      path: '/images/create',
      query: splitName(image),
      headers: { 'X-Registry-Auth': writeCredentials(credentials) },
      timeoutMs: undefined,
      signal: AbortSignal.any(signals),
    });
    await readProgress(answer, progress);
  } catch (error) {
    throw explain(error, stalled.signal.aborted, options, progressDeadlineMs);
  } finally {
    cancelTimer();
  }
}

/** The failure of a pull: only the engine's message tells the cause, its status does not. */
function explain(
  error: unknown,
  isStalled: boolean,
  { image }: PullImageOptions,
  deadlineMs: number,
): RuntimeError {
  if (isStalled) {
    return callFailure(
      call,
      'failed',
      `pull of image "${image}" made no progress within ${deadlineMs / 1000}s`,
    );
  }
  if (!(error instanceof RuntimeError))
    return callFailure(call, 'unavailable', `connection to the engine: ${error}`, error);
  if (['cancelled', 'closed', 'unavailable'].includes(error.code)) return error;
  return callFailure(call, 'failed', error.detail, error);
}

interface Progress {
  readonly error?: unknown;
  readonly errorDetail?: { readonly message?: unknown };
}

/** Each line of JSON is progress, unless it equals the line before. */
async function readProgress(answer: IncomingMessage, onProgress: () => void): Promise<void> {
  answer.setEncoding('utf8');
  let [rest, last] = ['', ''];
  const take = (line: string): void => {
    if (line.trim() === '' || line === last) return;
    last = line;
    onProgress();
    const { error, errorDetail } = JSON.parse(line) as Progress;
    if (error !== undefined) throw callFailure(call, 'failed', String(errorDetail?.message ?? error));
  };
  for await (const chunk of answer as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineBytes)
      throw callFailure(call, 'too-large', 'progress of a pull without end of line');
    for (const line of lines) take(line);
  }
  take(rest);
}

/** Splits name and tag for the engine's query, which would pull all tags of a name without one. */
export function splitName(image: string): { readonly fromImage: string; readonly tag: string } {
  const at = image.indexOf('@');
  if (at >= 0) return { fromImage: image.slice(0, at).replace(/:[^:/]*$/, ''), tag: image.slice(at + 1) };
  const [, name = image, tag = 'latest'] = /^(.*?)(?::([^:/]+))?$/s.exec(image) ?? [];
  return { fromImage: name, tag };
}

/** Value of the header `X-Registry-Auth`: credentials as JSON in base64url. */
export function writeCredentials(credentials: RegistryCredentials = {}): string {
  const { auth = '', serverAddress, identityToken, registryToken } = credentials;
  let { username, password } = credentials;
  if (auth !== '' && (username === undefined || username === '')) {
    const text = Buffer.from(auth, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    username = colon < 0 ? text : text.slice(0, colon);
    password = colon < 0 ? '' : text.slice(colon + 1);
  }
  const fields = {
    username,
    password,
    serveraddress: serverAddress,
    identitytoken: identityToken,
    registrytoken: registryToken,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Buffer.from(JSON.stringify(Object.fromEntries(given)))
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
