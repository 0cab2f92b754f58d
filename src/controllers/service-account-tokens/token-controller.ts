import type { Secret, ServiceAccount } from '../../apis/types/core-v1.ts';
import { type Informer, startInformer } from '../../client/informer/index.ts';
import { createWorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Controller, ControllerContext, PublishedAuthority } from '../controller.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import { followOptions } from '../follow-options.ts';
import {
  accountNamedBy,
  decideSecretRepair,
  generateTokenName,
  isTokenOf,
  newTokenSecret,
  type SecretContents,
  tokenSecretNames,
  withoutReference,
  withToken,
} from './decide.ts';
import { TokenObjects } from './token-objects.ts';

const concurrency = 5;
const retries = { firstRetryMs: 50, maxRetryMs: 30_000 };

/** What the tokens of secrets are signed with, and what they come with. */
export interface SecretTokenOptions {
  /** Signs a token of an account that a secret keeps. */
  readonly sign: (order: SecretTokenOrder) => Promise<string>;
  /** For `ca.crt`. */
  readonly authority: PublishedAuthority | undefined;
}

/** For whom a token is made, and the name of the secret that keeps it. */
export interface SecretTokenOrder {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly secret: string;
}

/**
 * Gives every service account a secret with a token, fills secrets that name an account, and removes those whose
 * account is gone. Bound tokens are asked for and are none of its business. It holds no key: who signs is given to it.
 * Source: release 1.20, `pkg/controller/serviceaccount/tokens_controller.go`.
 */
export function serviceAccountTokenController(options: SecretTokenOptions): Controller {
  return { name: 'serviceaccount-token', run: (context) => new TokenController(context, options).run() };
}

/** What secrets are to hold, as it is whenever somebody asks. */
const contentsOf = (
  names: SecretContents['names'],
  authority: PublishedAuthority | undefined,
): SecretContents => ({
  names,
  get authorityPem() {
    return authority?.pem();
  },
});

/** A lost race: the object comes again with its change. */
const isRace = (error: unknown): boolean => isReason(error, 'Conflict') || isReason(error, 'AlreadyExists');

class TokenController {
  readonly #sign: SecretTokenOptions['sign'];
  readonly #contents: SecretContents;
  readonly #objects: TokenObjects;
  readonly #accounts: Informer<ServiceAccount>;
  readonly #secrets: Informer<Secret>;
  /** Token secrets that were deleted, by the key of the account that may still refer to them. */
  readonly #deleted = new Map<string, Set<string>>();
  readonly #done: Promise<unknown>;

  constructor(context: ControllerContext, { sign, authority }: SecretTokenOptions) {
    const { dialect, clock, random, signal, logger } = context;
    const names = tokenSecretNames((text) => dialect.spell(text));
    this.#sign = sign;
    this.#contents = contentsOf(names, authority);
    this.#objects = new TokenObjects(context);
    const common = { concurrency, ...retries, metrics: context.queueMetrics, random, clock, signal };
    const report = (what: string) => (error: unknown, key: string) => {
      if (isRace(error)) logger.debug(`${what} changed meanwhile`, { key });
      else logger.error(`tokens of ${what} were not kept`, { key, error });
    };
    const accountQueue = createWorkQueue<string>({
      ...common,
      work: (key) => this.#syncAccount(key),
      onError: report('service account'),
    });
    const secretQueue = createWorkQueue<string>({
      ...common,
      work: (key) => this.#syncSecret(key),
      onError: report('token secret'),
    });
    const addAccount = (account: ServiceAccount): void => accountQueue.add(keyOf(account));
    this.#accounts = startInformer<ServiceAccount>({
      ...followOptions(context),
      resource: { group: '', version: 'v1', resource: 'serviceaccounts' },
      onAdd: addAccount,
      onUpdate: addAccount,
      onDelete: (account) => {
        for (const secret of this.#secrets.list()) {
          if (isTokenOf(secret, account, names)) secretQueue.add(keyOf(secret));
        }
      },
    });
    const addSecret = (secret: Secret): void => secretQueue.add(keyOf(secret));
    this.#secrets = startInformer<Secret>({
      ...followOptions(context),
      resource: { group: '', version: 'v1', resource: 'secrets' },
      fieldSelector: `type=${names.type}`,
      onAdd: addSecret,
      onUpdate: addSecret,
      onDelete: (secret) => {
        const { namespace = '' } = secret.metadata;
        const account = this.#accounts.get(namespace, accountNamedBy(secret, names)?.name ?? '');
        if (account === undefined) return;
        // It is to forget this secret, and to get another.
        const key = keyOf(account);
        this.#deleted.set(key, (this.#deleted.get(key) ?? new Set()).add(secret.metadata.name ?? ''));
        accountQueue.add(key);
      },
    });
    const unfollow = authority?.onChange(() => {
      for (const secret of this.#secrets.list()) secretQueue.add(keyOf(secret));
    });
    this.#done = Promise.all([
      this.#accounts.done,
      this.#secrets.done,
      accountQueue.done,
      secretQueue.done,
    ]).finally(unfollow);
  }

  async run(): Promise<void> {
    await this.#done;
  }

  /** Sees to it that an account refers to a token of its own, and to none that was deleted. */
  async #syncAccount(key: string): Promise<void> {
    await Promise.all([this.#accounts.whenSynced, this.#secrets.whenSynced]);
    const [namespace, name] = splitKey(key);
    const cached = this.#accounts.get(namespace, name);
    const deleted = this.#deleted.get(key) ?? new Set();
    if (cached === undefined || (deleted.size === 0 && this.#hasKnownToken(cached))) {
      this.#deleted.delete(key);
      return;
    }
    const account = await this.#objects.account(namespace, name);
    // Another version comes by itself.
    if (account === undefined || account.metadata.resourceVersion !== cached.metadata.resourceVersion) return;
    const references = await this.#lookAtReferences(account);
    let cleaned = account;
    for (const gone of deleted) {
      if (!references.found.has(gone)) cleaned = withoutReference(cleaned, gone) ?? cleaned;
    }
    if (!references.hasToken) await this.#addToken(cleaned);
    else if (cleaned !== account) await this.#objects.replace(cleaned);
    this.#deleted.delete(key);
  }

  #hasKnownToken(account: ServiceAccount): boolean {
    const { namespace = '' } = account.metadata;
    return (account.secrets ?? []).some(({ name = '' }) => {
      const secret = this.#secrets.get(namespace, name);
      return secret !== undefined && isTokenOf(secret, account, this.#contents.names);
    });
  }

  /** Reads the secrets that an account refers to: some may be too new for the informer. */
  async #lookAtReferences(account: ServiceAccount) {
    const { namespace = '' } = account.metadata;
    const found = new Set<string>();
    let hasToken = false;
    for (const { name = '' } of account.secrets ?? []) {
      const secret = name === '' ? undefined : await this.#objects.secret(namespace, name);
      if (secret === undefined) continue;
      found.add(name);
      if (isTokenOf(secret, account, this.#contents.names)) hasToken = true;
    }
    return { hasToken, found };
  }

  async #addToken(account: ServiceAccount): Promise<void> {
    const { namespace = '', name = '' } = account.metadata;
    const empty = newTokenSecret(account, generateTokenName(name), this.#contents);
    const made = await this.#create(withToken(empty, await this.#tokenFor(account, empty)));
    if (made === undefined) return;
    const reference = { name: made.metadata.name };
    try {
      await this.#objects.replace({ ...account, secrets: [...(account.secrets ?? []), reference] });
    } catch (error) {
      // Nobody refers to it: the next attempt makes another.
      await this.#objects.deleteSecret(made);
      if (isReason(error, 'NotFound')) return;
      if (isReason(error, 'Conflict') && (await this.#objects.account(namespace, name)) === undefined) return;
      throw error;
    }
  }

  /** Undefined when the namespace takes nothing new. */
  async #create(secret: Secret): Promise<Secret | undefined> {
    try {
      return await this.#objects.createSecret(secret);
    } catch (error) {
      if (isNamespaceTerminating(error) || isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** Fills a secret that names an account, and removes one whose account is not there. */
  async #syncSecret(key: string): Promise<void> {
    await this.#accounts.whenSynced;
    const [namespace, name] = splitKey(key);
    const cached = this.#secrets.get(namespace, name);
    const named = cached && accountNamedBy(cached, this.#contents.names);
    if (cached === undefined || named === undefined) return;
    const account = await this.#findAccount(namespace, named);
    if (account === undefined) {
      await this.#objects.deleteSecret(cached);
      return;
    }
    if (decideSecretRepair(cached, account, this.#contents) === undefined) return;
    const secret = await this.#objects.secret(namespace, name);
    if (secret === undefined || secret.metadata.uid !== cached.metadata.uid) return;
    const repair = decideSecretRepair(secret, account, this.#contents);
    if (repair === undefined) return;
    const token = repair.needsToken ? await this.#tokenFor(account, secret) : undefined;
    await this.#objects.replace(token === undefined ? repair.secret : withToken(repair.secret, token));
  }

  /** The account that a secret names, as the informer knows it or else as it is; one of another uid is none. */
  async #findAccount(
    namespace: string,
    { name, uid }: { readonly name: string; readonly uid: string },
  ): Promise<ServiceAccount | undefined> {
    const isIt = (account: ServiceAccount | undefined): boolean =>
      account !== undefined && (uid === '' || account.metadata.uid === uid);
    const cached = this.#accounts.get(namespace, name);
    if (isIt(cached)) return cached;
    const account = await this.#objects.account(namespace, name);
    return isIt(account) ? account : undefined;
  }

  #tokenFor({ metadata }: ServiceAccount, secret: Secret): Promise<string> {
    const { namespace = '', name = '', uid = '' } = metadata;
    return this.#sign({ namespace, account: { name, uid }, secret: secret.metadata.name ?? '' });
  }
}

const keyOf = ({ metadata }: Secret | ServiceAccount): string => `${metadata.namespace}/${metadata.name}`;

function splitKey(key: string): [string, string] {
  const at = key.indexOf('/');
  return [key.slice(0, at), key.slice(at + 1)];
}
