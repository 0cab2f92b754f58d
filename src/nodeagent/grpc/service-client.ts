import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { GrpcError, toGrpcError } from './grpc-error.ts';
import { type MethodTable, ServiceCodec, type ServiceDescription } from './service-codec.ts';

/** Largest message in either direction. */
const maxMessageBytes = 16 * 1024 * 1024;
/** Longest path of a Unix socket, in bytes (`sun_path` of Linux without its end mark). */
const maxSocketPathBytes = 107;

/** How programs on this node are talked to. */
export const channelOptions = {
  'grpc.enable_http_proxy': 0,
  // Retries are made by the caller, who knows what may be repeated.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.max_send_message_length': maxMessageBytes,
  'grpc.max_receive_message_length': maxMessageBytes,
} as const;

/** Limits of one call. */
export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Who gets the answers of a stream, and what ends it. */
export interface StreamOptions<Answer> {
  /** Must not throw. */
  readonly onAnswer: (answer: Answer) => void;
  readonly signal: AbortSignal;
}

/** One service behind a Unix socket. Connects with the first call, and again after the service went away. */
export class ServiceClient<Methods extends MethodTable> implements Disposable {
  readonly #codec: ServiceCodec<Methods>;
  readonly #client: Client;
  readonly #metadata = new Metadata();

  /** @throws RangeError for what cannot be the path of a socket */
  constructor(socketPath: string, description: ServiceDescription) {
    this.#codec = new ServiceCodec(description);
    this.#client = new Client(addressOf(socketPath), credentials.createInsecure(), channelOptions);
  }

  /** One question, one answer. @throws GrpcError whatever happens */
  call<Name extends keyof Methods & string>(
    name: Name,
    request: Methods[Name][0],
    { timeoutMs, signal }: CallOptions,
  ): Promise<Methods[Name][1]> {
    if (signal?.aborted === true) return Promise.reject(canceled());
    const { path, encodeRequest, decodeAnswer } = this.#codec.methodOf(name);
    const { promise, resolve, reject } = Promise.withResolvers<Methods[Name][1]>();
    const call = this.#client.makeUnaryRequest(
      path,
      encodeRequest,
      decodeAnswer,
      request,
      this.#metadata,
      { deadline: Date.now() + timeoutMs },
      (error, answer) => {
        signal?.removeEventListener('abort', onAbort);
        if (error !== null) reject(toGrpcError(error));
        else if (answer === undefined) reject(new GrpcError('Internal', 'empty answer'));
        else resolve(answer);
      },
    );
    const onAbort = (): void => call.cancel();
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise;
  }

  /** One question and a stream of answers, until the service ends it. @throws GrpcError, also when `signal` aborts */
  stream<Name extends keyof Methods & string>(
    name: Name,
    request: Methods[Name][0],
    { onAnswer, signal }: StreamOptions<Methods[Name][1]>,
  ): Promise<void> {
    if (signal.aborted) return Promise.reject(canceled());
    const { path, encodeRequest, decodeAnswer } = this.#codec.methodOf(name);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const call = this.#client.makeServerStreamRequest(
      path,
      encodeRequest,
      decodeAnswer,
      request,
      this.#metadata,
    );
    const onAbort = (): void => call.cancel();
    signal.addEventListener('abort', onAbort, { once: true });
    call.on('data', onAnswer);
    call.once('error', (error) => reject('code' in error ? toGrpcError(Object(error)) : error));
    call.once('end', resolve);
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** Waits until the service can be reached. @throws GrpcError when it cannot be for so long */
  whenReady(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.waitForReady(Date.now() + timeoutMs, (error) => {
        if (error === undefined) resolve();
        else reject(new GrpcError('DeadlineExceeded', 'context deadline exceeded', { cause: error }));
      });
    });
  }

  /** Ends the connection; calls that are under way may still be answered. */
  [Symbol.dispose](): void {
    this.#client.close();
  }
}

const canceled = (): GrpcError => new GrpcError('Canceled', 'context canceled');

/** What keeps a text from being the path of a socket. */
export function socketPathProblem(path: string): string | undefined {
  if (!path.startsWith('/') || path.endsWith('/') || path.includes('\0')) {
    return `socket "${path}": expected an absolute path`;
  }
  const sizeBytes = Buffer.byteLength(path);
  if (sizeBytes <= maxSocketPathBytes) return undefined;
  return `socket "${path}": path of ${sizeBytes} bytes, expected at most ${maxSocketPathBytes}`;
}

function addressOf(path: string): string {
  const problem = socketPathProblem(path);
  if (problem !== undefined) throw new RangeError(problem);
  return `unix:${path}`;
}
