import { AuthorityPool } from '../server/authentication/index.ts';
import { readAuthorities } from '../server/pki/index.ts';

/** The files of flags that name authorities. */
export interface AuthorityFileOptions {
  /** PEM of the server's own authority, which is believed as long as it runs. */
  readonly own: string;
  /** Value of `--client-ca-file`. */
  readonly clients: string | undefined;
  /** Value of `--requestheader-client-ca-file`. */
  readonly proxies: string | undefined;
}

/** Whom the server believes by certificate: users, and proxies that name users. This may change while it runs. */
export class AuthorityFiles {
  readonly clients: AuthorityPool;
  /** Empty when no proxy is believed. */
  readonly proxies: AuthorityPool;
  readonly #options: AuthorityFileOptions;
  readonly #notices: (() => void)[] = [];
  /** Those of `--client-ca-file`. */
  #inFile: readonly string[];
  /** Those of other servers of the store. */
  #ofServers: readonly string[] = [];

  private constructor(options: AuthorityFileOptions, inFile: readonly string[], proxies: readonly string[]) {
    this.#options = options;
    this.#inFile = inFile;
    // TLS checks clients against the authorities of both together.
    this.clients = new AuthorityPool(this.#allClients(), { isOnly: options.proxies === undefined });
    this.proxies = new AuthorityPool(proxies);
  }

  /** Reads the files. @throws PkiError for one that cannot be used. */
  static async open(options: AuthorityFileOptions): Promise<AuthorityFiles> {
    return new AuthorityFiles(options, await readClients(options), await readProxies(options));
  }

  /** PEM certificates of all of them. */
  get pems(): readonly string[] {
    return [...this.clients.pems, ...this.proxies.pems];
  }

  /** Has a part of the server told whenever others are believed. */
  onReplaced(notice: () => void): void {
    this.#notices.push(notice);
  }

  /**
   * Reads the files again; true when others are believed now. Nothing changes when one of them cannot be used.
   *
   * @throws PkiError for a file that cannot be used.
   */
  async refresh(): Promise<true | undefined> {
    const inFile = await readClients(this.#options);
    const proxies = await readProxies(this.#options);
    if (inFile.join('') === this.#inFile.join('') && proxies.join('') === this.proxies.pems.join(''))
      return undefined;
    this.#inFile = inFile;
    this.proxies.replace(proxies);
    this.#replaceClients();
    return true;
  }

  /** Believes the authorities of the servers of one store, this one's among them, until it is told of others. */
  believeServers(pems: readonly string[]): void {
    if (pems.join('') === this.#ofServers.join('')) return;
    this.#ofServers = pems;
    this.#replaceClients();
  }

  #replaceClients(): void {
    this.clients.replace(this.#allClients());
    for (const notice of this.#notices) notice();
  }

  /** Its own first. */
  #allClients(): readonly string[] {
    return [...new Set([this.#options.own, ...this.#ofServers, ...this.#inFile])];
  }
}

const readClients = async ({ clients }: AuthorityFileOptions): Promise<readonly string[]> =>
  clients === undefined ? [] : await readAuthorities(clients);

const readProxies = async ({ proxies }: AuthorityFileOptions): Promise<readonly string[]> =>
  proxies === undefined ? [] : await readAuthorities(proxies);
