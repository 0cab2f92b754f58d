const scheme = 'etcd:';

/** Where objects are stored, as the options say it. */
interface StorageChoice {
  readonly storage?: string | undefined;
  readonly etcdServers: readonly string[];
}

/** URLs of the etcd members that objects are stored in; undefined when they are stored elsewhere. */
export function etcdServers(config: StorageChoice): readonly string[] | undefined {
  if (config.storage?.startsWith(scheme)) return splitServers(config.storage);
  return config.storage === undefined && config.etcdServers.length > 0 ? config.etcdServers : undefined;
}

/** Where all keys begin, as release 1.20 lays them out; ends with `/`. */
export function storageRoot(config: { readonly etcdPrefix: string }): string {
  const names = config.etcdPrefix.split('/').filter((name) => name !== '');
  return names.length === 0 ? '/' : `/${names.join('/')}/`;
}

/** What is wrong with `etcd:URL,URL`, as the end of a sentence. */
export function etcdUrlProblem(storage: string): string | undefined {
  return splitServers(storage).map(serverProblem).find(Boolean);
}

/** What is wrong with a member's URL, as the end of a sentence. */
export function serverProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.hostname !== '' &&
    url.username + url.password + url.search + url.hash === '' &&
    url.pathname === '/';
  return isPlain ? undefined : `${JSON.stringify(text)} must be http://HOST:PORT or https://HOST:PORT`;
}

const splitServers = (storage: string): string[] =>
  storage
    .slice(scheme.length)
    .split(',')
    .map((text) => text.trim());
