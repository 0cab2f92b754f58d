import { mutateBytes, mutateJson, runtimeKeys } from './mutate-json.ts';
import type { SeedRequest } from './seed-requests.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A request ready to be sent. */
export interface HostileRequest {
  readonly method: string;
  /** Path and query, escaped as HTTP wants it and no further. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** What HTTP/1.1 parsers know as methods, but for CONNECT, which asks for another protocol. */
const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PURGE',
  'PROPFIND',
  'M-SEARCH',
];

const segments = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%00',
  '%ff',
  '%',
  '%zz',
  '%E2%80%AE',
  '*',
  '~',
  ';a=b',
  'a%20b',
  'A',
  '-',
  'watch',
  'proxy',
  'namespaces',
  'status',
  'scale',
  'log',
  'exec',
  'v1',
  'x'.repeat(3000),
  ...runtimeKeys,
];

const queryValues = [
  '',
  '0',
  '1',
  '-1',
  'abc',
  '1.5',
  '1e9',
  '+1',
  '9'.repeat(30),
  '99999999999',
  'true',
  'All',
  'x'.repeat(2000),
  '%00',
  '%ff',
  '%',
  '%zz',
  '=',
  '==a',
  '!',
  'a=b,c',
  'a in (',
  'a in (b,c),,',
  'a notin ()',
  '(((((',
  'a>1,b<x',
  'metadata.name=',
  'spec.nodeName',
  'metadata.name==%F0%9F%92%A9',
  'a%5C,b=c',
  'eyJ2IjoibWV0YS5vcmNoLmlvL3YxIiwicnYiOjEsInN0YXJ0IjoiLi4vLi4vIn0',
  'bm90IGpzb24',
  ...runtimeKeys,
];

const queryNames = [
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'labelSelector',
  'fieldSelector',
  'timeoutSeconds',
  'dryRun',
  'fieldManager',
  'force',
  'pretty',
  'includeObject',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'watch',
  'allowWatchBookmarks',
  'timeout',
  'verbose',
  'exclude',
  ...runtimeKeys,
];

const headerValues: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    '',
    'application/json',
    'application/json; charset=utf-16',
    'application/yaml',
    'text/plain',
    'application/vnd.orch.protobuf',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    ';;;',
    'a/b/c',
    '"',
    'application/json;'.repeat(500),
    '__proto__',
    'constructor',
    'multipart/form-data; boundary=x',
  ],
  accept: [
    '',
    '*/*',
    'application/*',
    'text/html',
    ',',
    ';q=',
    'application/json;q=nan',
    'application/json;as=Table;v=v9;g=x',
    'application/json;as=Table;v=v1beta1;g=meta.orch.io',
    'application/yaml;as=Table;v=v1;g=meta.orch.io',
    'application/vnd.orch.protobuf',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.orch.io',
    'application/json;stream=watch',
    'constructor',
    '*/*,'.repeat(3000),
  ],
  'content-encoding': ['gzip', 'identity', 'nonsense'],
  'accept-encoding': ['gzip', 'nonsense', ''],
  'audit-id': ['', 'x'.repeat(5000), '../..', '__proto__'],
  expect: ['100-continue'],
  'user-agent': ['', '\u00ff', 'x'.repeat(10_000)],
  'x-forwarded-for': ['127.0.0.1', 'nonsense'],
  'impersonate-user': ['system:admin', ''],
  range: ['bytes=0-1', 'bytes=-'],
  'if-none-match': ['*'],
  origin: ['null', 'https://example.org'],
  cookie: ['a=b; __proto__=c'],
  'x-http-method-override': ['DELETE'],
};

/** Makes a hostile request out of a right one. About one of twelve stays right, so that the server has work. */
export function mutateRequest(seed: SeedRequest, random: SeededRandom): HostileRequest {
  const path = random.happens(0.2) ? mutatePath(seed.path, random) : seed.path;
  const query = random.happens(0.35) ? mutateQuery(seed.query, random) : { ...seed.query };
  const headers = random.happens(0.25) ? mutateHeaders(seed.headers, random) : seed.headers;
  const method = random.happens(0.06) ? random.pick(methods) : seed.method;
  return { method, target: targetOf(path, query), headers, body: bodyOf(seed, random) };
}

function bodyOf(seed: SeedRequest, random: SeededRandom): Buffer | undefined {
  if (seed.body === undefined) {
    return random.happens(0.03) ? mutateBytes(Buffer.from('{"kind":"DeleteOptions"}'), random) : undefined;
  }
  const value = random.happens(0.7) ? mutateJson(seed.body, random) : seed.body;
  const bytes = Buffer.from(JSON.stringify(value) ?? '');
  return random.happens(0.15) ? mutateBytes(bytes, random) : bytes;
}

function mutatePath(path: string, random: SeededRandom): string {
  const parts = path.split('/').slice(1);
  const at = random.below(parts.length + 1);
  const isRemoval = random.happens(0.25);
  parts.splice(at, isRemoval || random.happens(0.5) ? 1 : 0, ...(isRemoval ? [] : [random.pick(segments)]));
  return `/${parts.join('/')}`;
}

function mutateQuery(query: Readonly<Record<string, string>>, random: SeededRandom): Record<string, string> {
  const mutated = { ...query };
  for (let count = 1 + random.below(2); count > 0; count--) {
    const known = Object.keys(query);
    const name = known.length > 0 && random.happens(0.5) ? random.pick(known) : random.pick(queryNames);
    Object.defineProperty(mutated, name, {
      value: random.pick(queryValues),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return mutated;
}

/** Values stand as they are: their escapes are part of the attack. Only what HTTP itself forbids is escaped. */
function targetOf(path: string, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value.replaceAll(' ', '%20')}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function mutateHeaders(
  headers: Readonly<Record<string, string>>,
  random: SeededRandom,
): Record<string, string> {
  const name = random.pick(Object.keys(headerValues));
  return { ...headers, [name]: random.pick(headerValues[name] ?? ['']) };
}
