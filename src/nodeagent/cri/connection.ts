import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { channelOptions } from '../grpc/service-client.ts';
import { RuntimeError } from '../runtime/index.ts';
import { parseEndpoint } from './endpoint.ts';
import { toRuntimeError } from './failure.ts';
import { type AnswerOf, type ApiVersion, type MethodName, methodOf, type RequestOf } from './protocol.ts';

/** Limits of one call; it fails with a `RuntimeError` when one of them is reached. */
export interface CallOptions {
  /** No limit when undefined. */
  readonly timeoutMs: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One endpoint of a runtime. Connects with the first call, again after the runtime went away, and finds out in
 * passing which version of the interface is spoken there.
 */
export class Connection {
  readonly #client: Client;
  readonly #versions: readonly ApiVersion[];
  readonly #metadata = new Metadata();
  readonly #running = new Set<(error: RuntimeError) => void>();
  /** Version of the last answer; undefined before the first. */
  #version: ApiVersion | undefined;
  #isClosed = false;

  /**
   * @param versions tried in this order, at least one
   * @throws RangeError for an endpoint that cannot be one
   */
  constructor(endpoint: string, versions: readonly ApiVersion[]) {
    this.#client = new Client(parseEndpoint(endpoint), credentials.createInsecure(), channelOptions);
    this.#versions = versions;
  }

  /** @throws RuntimeError whatever happens. */
  async call<Name extends MethodName>(
    name: Name,
    request: RequestOf<Name>,
    options: CallOptions,
  ): Promise<AnswerOf<Name>> {
    const lateAt =
      options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.timeoutMs;
    const bytes = methodOf(name).encode(request);
    const versions = this.#versionsToTry();
    for (const [index, version] of versions.entries()) {
      try {
        const answer = await this.#attempt(name, version, bytes, lateAt, options.signal);
        this.#version = version;
        return answer;
      } catch (error) {
        const failure = error instanceof RuntimeError ? error : this.#noteFailure(name, version, error);
        if (failure.code !== 'unsupported' || index === versions.length - 1) throw failure;
      }
    }
    throw new RuntimeError('unsupported', `${name}: no version of the interface to speak`);
  }

  close(): void {
    this.#isClosed = true;
    const error = closedError();
    for (const cancel of [...this.#running]) cancel(error);
    this.#client.close();
  }

  #attempt<Name extends MethodName>(
    name: Name,
    version: ApiVersion,
    bytes: Buffer,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<AnswerOf<Name>> {
    if (this.#isClosed) return Promise.reject(closedError());
    if (signal?.aborted === true) return Promise.reject(cancelledError(name));
    const { path, decode } = methodOf(name);
    const { promise, resolve, reject } = Promise.withResolvers<AnswerOf<Name>>();
    const call = this.#client.makeUnaryRequest(
      path(version),
      passThrough,
      decode,
      bytes,
      this.#metadata,
      { deadline },
      (error, answer) => {
        this.#running.delete(cancel);
        signal?.removeEventListener('abort', onAbort);
        if (error !== null) reject(error);
        else if (answer === undefined) reject(new RuntimeError('failed', `${name}: empty answer`));
        else resolve(answer);
      },
    );
    const cancel = (error: RuntimeError): void => {
      reject(error);
      call.cancel();
    };
    const onAbort = (): void => cancel(cancelledError(name));
    this.#running.add(cancel);
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise;
  }

  /** The known version first; the others too, because another runtime may have taken the place of the one known. */
  #versionsToTry(): readonly ApiVersion[] {
    const known = this.#version;
    return known === undefined
      ? this.#versions
      : [known, ...this.#versions.filter((other) => other !== known)];
  }

  #noteFailure(name: MethodName, version: ApiVersion, error: unknown): RuntimeError {
    // Calls of the library fail with nothing else.
    const failure = error as ServiceError;
    if (isVerdict(failure)) this.#version = version;
    return toRuntimeError(name, failure);
  }
}

/** Codes that say nothing about the version: no answer, no such service, or the library's own. */
const silent: ReadonlySet<number> = new Set([
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.RESOURCE_EXHAUSTED,
  status.UNAVAILABLE,
  status.UNIMPLEMENTED,
]);

/** Whether the runtime knew the method and answered with a failure. */
function isVerdict({ code }: ServiceError): boolean {
  return !silent.has(code);
}

function closedError(): RuntimeError {
  return new RuntimeError('closed', 'the runtime driver is closed');
}

function cancelledError(name: MethodName): RuntimeError {
  return new RuntimeError('cancelled', `${name}: given up by the caller`);
}

function passThrough(bytes: Buffer): Buffer {
  return bytes;
}
