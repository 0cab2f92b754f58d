import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import protobuf from 'protobufjs/light.js';
import descriptor from './kms-protocol.json' with { type: 'json' };

const root = protobuf.Root.fromJSON(descriptor);
/** The version of the interface that is spoken. */
const version = 'v1beta1';
/** Keys are small. */
const maxMessageBytes = 1024 * 1024;

/** A key management service behind a socket: it seals and opens keys. Connects with the first call. */
export class KmsClient {
  readonly #client: Client;
  readonly #timeoutMs: number;
  #isChecked = false;

  /** @param endpoint `unix://PATH` */
  constructor(endpoint: string, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#client = new Client(endpoint, credentials.createInsecure(), {
      'grpc.enable_http_proxy': 0,
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc.initial_reconnect_backoff_ms': 50,
      'grpc.min_reconnect_backoff_ms': 50,
      'grpc.max_reconnect_backoff_ms': 1000,
    });
  }

  /** @throws Error when the service refuses, or does not answer in time. */
  async encrypt(plain: Buffer): Promise<Buffer> {
    await this.#checkVersion();
    return this.#call('Encrypt', { version, plain }, 'cipher');
  }

  /** @throws Error as `encrypt`. */
  async decrypt(cipher: Buffer): Promise<Buffer> {
    await this.#checkVersion();
    return this.#call('Decrypt', { version, cipher }, 'plain');
  }

  close(): void {
    this.#client.close();
  }

  async #checkVersion(): Promise<void> {
    if (this.#isChecked) return;
    const spoken = (await this.#call('Version', { version }, 'version')).toString();
    if (spoken !== version)
      throw new Error(`KMS provider api version ${spoken} is not supported, only ${version} is`);
    this.#isChecked = true;
  }

  /** One field of the answer, as bytes. */
  #call(method: string, request: object, field: string): Promise<Buffer> {
    const [requestType, responseType] = [
      root.lookupType(`${method}Request`),
      root.lookupType(`${method}Response`),
    ];
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        `/v1beta1.KeyManagementService/${method}`,
        (call: object) => Buffer.from(requestType.encode(call).finish()),
        (bytes: Buffer) =>
          responseType.toObject(responseType.decode(bytes), { bytes: Buffer, defaults: true }),
        request,
        new Metadata(),
        { deadline: Date.now() + this.#timeoutMs },
        (error: ServiceError | null, answer?: Readonly<Record<string, Buffer | string>>) => {
          if (error !== null) reject(new Error(`rpc error: ${error.details || error.message}`));
          else resolve(Buffer.from(answer?.[field] ?? ''));
        },
      );
    });
  }
}
