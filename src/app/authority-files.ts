import { AuthorityPool } from '../server/authentication/index.ts';
import { readAuthorities } from '../server/pki/index.ts';
import type { RequestHeaderNames } from './request-header-names.ts';

const noNames: RequestHeaderNames = {
  allowedNames: [],
  usernameHeaders: [],
  groupHeaders: [],
  extraHeaderPrefixes: [],
};

/** The files of flags that name authorities. */
export interface AuthorityFileOptions {
  /** PEM of the server's own authority, which is believed as long as it runs. */
  readonly own: string;
  /** Value of `--client-ca-file`. */
  readonly clients: string | undefined;
  /** Value of `--requestheader-client-ca-file`. */
  readonly proxies: string | undefined;
  /** How proxies of that file name themselves and users. */
  readonly names?: RequestHeaderNames | undefined;
  /** Whether another server is asked for what the flags do not say. */
  readonly isLookedUp?: boolean | undefined;
}

/** PEM authorities by purpose. */
interface Authorities {
  readonly clients: readonly string[];
  readonly proxies: readonly string[];
}

/** What another server says of whom to believe. */
export interface PublishedAuthentication extends Authorities {
  /** How its proxies name themselves and users. */
  readonly names: RequestHeaderNames;
}

/** Whom the server believes by certificate: users, and proxies that name users. This may change while it runs. */
export class AuthorityFiles {
  readonly clients: AuthorityPool;
  /** Empty when no proxy is believed. */
  readonly proxies: AuthorityPool;
  readonly #options: AuthorityFileOptions;
  readonly #notices: (() => void)[] = [];
  #inFiles: Authorities;
  #lookedUp: PublishedAuthentication = { clients: [], proxies: [], names: noNames };
  /** Those of other servers of the store. */
  #ofServers: readonly string[] = [];

  private constructor(options: AuthorityFileOptions, inFiles: Authorities) {
    this.#options = options;
    this.#inFiles = inFiles;
    // TLS checks clients against the authorities of both together.
    const isOnly = options.proxies === undefined && !options.isLookedUp;
    this.clients = new AuthorityPool(this.#allClients(), { isOnly });
    this.proxies = new AuthorityPool(inFiles.proxies);
  }

  /** Reads the files. @throws PkiError for one that cannot be used. */
  static async open(options: AuthorityFileOptions): Promise<AuthorityFiles> {
    return new AuthorityFiles(options, await readFiles(options));
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
    const inFiles = await readFiles(this.#options);
    if (isSame(inFiles, this.#inFiles)) return undefined;
    this.#inFiles = inFiles;
    this.#replace();
    return true;
  }

  /** Believes what another server publishes, where flags name no file, until it is told of something else. */
  believePublished(published: PublishedAuthentication): void {
    const isSameName = JSON.stringify(published.names) === JSON.stringify(this.#lookedUp.names);
    if (isSameName && isSame(published, this.#lookedUp)) return;
    this.#lookedUp = published;
    this.#replace();
  }

  /** How the proxies that are believed now name themselves and users. */
  get proxyNames(): RequestHeaderNames {
    const { proxies, names = noNames, isLookedUp } = this.#options;
    return proxies === undefined && isLookedUp ? this.#lookedUp.names : names;
  }

  /** Believes the authorities of the servers of one store, this one's among them, until it is told of others. */
  believeServers(pems: readonly string[]): void {
    if (pems.join('') === this.#ofServers.join('')) return;
    this.#ofServers = pems;
    this.#replace();
  }

  #replace(): void {
    this.clients.replace(this.#allClients());
    this.proxies.replace((this.#options.proxies === undefined ? this.#lookedUp : this.#inFiles).proxies);
    for (const notice of this.#notices) notice();
  }

  /** Its own first. */
  #allClients(): readonly string[] {
    const { own, clients } = this.#options;
    const others = clients === undefined ? this.#lookedUp : this.#inFiles;
    return [...new Set([own, ...this.#ofServers, ...others.clients])];
  }
}

const readFiles = async ({ clients, proxies }: AuthorityFileOptions): Promise<Authorities> => ({
  clients: clients === undefined ? [] : await readAuthorities(clients),
  proxies: proxies === undefined ? [] : await readAuthorities(proxies),
});

const isSame = (one: Authorities, other: Authorities): boolean =>
  one.clients.join('') === other.clients.join('') && one.proxies.join('') === other.proxies.join('');
