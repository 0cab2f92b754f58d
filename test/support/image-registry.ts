import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Who may read the repositories below `private/`. */
export interface RegistryAccount {
  readonly username: string;
  readonly password: string;
}

/** A registry of the test's own (distribution API version 2, plain HTTP on loopback), with images that hold nothing. */
export interface ImageRegistry extends AsyncDisposable {
  /** Host and port, as image names have them. */
  readonly host: string;
  /** Name of an image in it, for which no login is needed; made when it is asked for. */
  publicImage(name: string): string;
  /** The same for one that needs the login. */
  privateImage(name: string): string;
  /** How often the manifests of an image were asked for by name. */
  pullsOf(image: string): number;
  /** Answers requests for layers only after `release`. */
  holdLayers(): { readonly waiting: () => number; release(): void };
}

interface Blob {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Two empty blocks: a tar archive without files. */
const emptyTar = Buffer.alloc(1024);
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const pathForm = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/;

export interface RegistryOptions {
  /** Whether it asks for the login from the start: engines log in nowhere else, but then everywhere. */
  readonly asksForLogin?: boolean;
}

/** Starts a registry on a free port. */
export async function startImageRegistry(
  account: RegistryAccount,
  { asksForLogin = false }: RegistryOptions = {},
): Promise<ImageRegistry> {
  const registry = new Registry(account, asksForLogin);
  await registry.listen();
  return registry;
}

class Registry implements ImageRegistry {
  readonly #server: Server;
  readonly #authorization: string;
  readonly #asksForLogin: boolean;
  /** By digest. */
  readonly #blobs = new Map<string, Blob>();
  /** Digest of the manifest by repository. */
  readonly #images = new Map<string, string>();
  readonly #pulls = new Map<string, number>();
  #hold: { readonly released: Promise<void>; waiting: number } | undefined;

  constructor({ username, password }: RegistryAccount, asksForLogin: boolean) {
    this.#asksForLogin = asksForLogin;
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  get host(): string {
    // A server that listens on a port has such an address.
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  publicImage(name: string): string {
    return this.#addImage(`public/${name}`);
  }

  privateImage(name: string): string {
    return this.#addImage(`private/${name}`);
  }

  pullsOf(image: string): number {
    return this.#pulls.get(image) ?? 0;
  }

  holdLayers(): { readonly waiting: () => number; release(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hold = { released: promise, waiting: 0 };
    this.#hold = hold;
    return {
      waiting: () => hold.waiting,
      release: () => {
        this.#hold = undefined;
        resolve();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #addImage(repository: string): string {
    // A layer of its own for each image, so that each is fetched; archives may end in any number of empty blocks.
    const layer = this.#addBlob(
      'application/vnd.oci.image.layer.v1.tar',
      Buffer.concat([emptyTar, Buffer.alloc(512 * this.#images.size)]),
    );
    const config = this.#addJson('application/vnd.oci.image.config.v1+json', {
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: { Labels: { repository }, User: '1000' },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    });
    const manifest = { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] };
    this.#images.set(repository, this.#addJson(manifestType, manifest).digest);
    return `${this.host}/${repository}:1`;
  }

  #addJson(mediaType: string, value: unknown): { digest: string; mediaType: string; size: number } {
    return this.#addBlob(mediaType, Buffer.from(JSON.stringify(value)));
  }

  #addBlob(mediaType: string, bytes: Buffer): { digest: string; mediaType: string; size: number } {
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    this.#blobs.set(digest, { mediaType, bytes });
    return { digest, mediaType, size: bytes.length };
  }

  async #answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, repository = '', kind, reference = ''] = pathForm.exec(url) ?? [];
    const isPrivate = (url === '/v2/' && this.#asksForLogin) || repository.startsWith('private/');
    if (isPrivate && headers.authorization !== this.#authorization) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end();
      return;
    }
    const isByName = kind === 'manifests' && !reference.includes(':');
    const manifest = this.#images.get(repository);
    const blob = this.#blobs.get(isByName ? (manifest ?? '') : reference);
    if (blob === undefined) {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"errors":[]}');
      return;
    }
    if (isByName) this.#notePull(repository);
    if (blob.mediaType.endsWith('.tar')) await this.#waitForRelease();
    response.writeHead(200, {
      'Content-Type': blob.mediaType,
      'Content-Length': blob.bytes.length,
      'Docker-Content-Digest': isByName ? (manifest ?? '') : reference,
    });
    response.end(method === 'HEAD' ? undefined : blob.bytes);
  }

  #notePull(repository: string): void {
    const image = `${this.host}/${repository}:1`;
    this.#pulls.set(image, this.pullsOf(image) + 1);
  }

  async #waitForRelease(): Promise<void> {
    if (this.#hold === undefined) return;
    this.#hold.waiting += 1;
    await this.#hold.released;
  }
}
