import { benchPod } from '../bench-pod.ts';
import { type LoadOptions, runClosedLoop } from '../closed-loop.ts';
import { cpuMicros } from '../process-usage.ts';
import type { RawAccess } from '../raw-connection.ts';
import { encodeRequest } from '../raw-request.ts';
import { runWatchLoad } from '../watch-load.ts';
import { generatedKind, generatedSpec } from './generated.ts';

/** CPU time of the server for one operation, in microseconds, by kind of object. */
export interface ComparedOperation {
  readonly operation: string;
  readonly micros: Readonly<Record<string, number>>;
}

/** The server that is asked. */
export interface ComparedServer {
  readonly access: RawAccess;
  readonly pid: number;
}

/** Objects of one kind: where they are, and one as it is sent. */
interface Subject {
  readonly name: string;
  readonly collection: string;
  object(name: string, index: number): object;
}

const defaultCollection = (resource: string): string => `/api/v1/namespaces/default/${resource}`;
const sizeOf = (object: object): number => Buffer.byteLength(JSON.stringify(object));

/** The same object with an annotation that makes it as long as another one. */
function padded(object: object, bytes: number): object {
  const { metadata = {}, ...rest } = object as { metadata?: object };
  const withPad = (pad: string) => ({
    ...rest,
    metadata: { ...metadata, annotations: { 'example.org/pad': pad } },
  });
  return withPad('x'.repeat(Math.max(0, bytes - sizeOf(withPad('')))));
}

/** Pods, config maps and custom objects whose bodies are of one size. */
function subjects(): readonly Subject[] {
  const { group, kind, collection } = generatedKind(7);
  const bytes = sizeOf(benchPod('pod-0', 0));
  const entries = Array.from({ length: 25 }, (_, n) => [`key-${n}`, 'value of the setting']);
  return [
    { name: 'pod', collection: defaultCollection('pods'), object: benchPod },
    {
      name: 'config map',
      collection: defaultCollection('configmaps'),
      object: (name) =>
        padded(
          { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: Object.fromEntries(entries) },
          bytes,
        ),
    },
    {
      name: 'custom',
      collection,
      object: (name) =>
        padded({ kind, apiVersion: `${group}/v1`, metadata: { name }, spec: generatedSpec() }, bytes),
    },
  ];
}

const clients = 16;
const [watchers, watchedWrites] = [200, 200];
const applyPatch = 'application/apply-patch+yaml';

/** What is measured, in order: later operations find the objects of earlier ones. */
function operationsOf({ collection, object }: Subject, { writes, reads, round }: ComparedSizes) {
  const body = (name: string, n: number): string => JSON.stringify(object(name, n));
  const create = (n: number) =>
    encodeRequest(collection, { method: 'POST', body: body(`r${round}-${n}`, n) });
  const get = (n: number) => encodeRequest(`${collection}/r${round}-${n % writes}`);
  const list = encodeRequest(`${collection}?limit=500`);
  const apply = (n: number) => {
    const name = `r${round}-applied-${n % (writes / 2)}`;
    const path = `${collection}/${name}?fieldManager=bench`;
    return encodeRequest(path, { method: 'PATCH', body: body(name, 0), contentType: applyPatch });
  };
  return [
    ['create', writes, create],
    ['get', reads, get],
    ['list a page of 500', 200, () => list],
    ['apply new', writes / 2, apply],
    ['apply, nothing changes', writes, apply],
  ] as const satisfies readonly (readonly [string, number, LoadOptions['requestFor']])[];
}

interface ComparedSizes {
  readonly writes: number;
  readonly reads: number;
  readonly round: number;
}

const rounds = 3;

/**
 * What the same operation costs the server with objects of each kind. Kinds take turns, so that what else the machine does meets
 * all of them; the cheapest of the rounds counts.
 *
 * @throws Error for an answer that is none of success.
 */
export async function compareObjects(
  server: ComparedServer,
  { isQuick = false } = {},
): Promise<ComparedOperation[]> {
  const costs = new Map<string, Map<string, number>>();
  const note = (operation: string, kind: string, micros: number): void => {
    const byKind = costs.get(operation) ?? new Map<string, number>();
    costs.set(operation, byKind.set(kind, Math.min(byKind.get(kind) ?? Number.POSITIVE_INFINITY, micros)));
  };
  const sizes = isQuick ? { writes: 100, reads: 500 } : { writes: 1500, reads: 10_000 };
  for (let round = 0; round < rounds; round++) {
    const perSubject = subjects().map((subject) => ({
      subject,
      operations: operationsOf(subject, { ...sizes, round }),
    }));
    for (const [index, [operation]] of (perSubject[0]?.operations ?? []).entries()) {
      for (const { subject, operations } of perSubject) {
        const [, count, requestFor] = operations[index] ?? ['', 0, () => Buffer.alloc(0)];
        note(operation, subject.name, await costOf(server, { count, requestFor }));
      }
    }
    for (const { subject } of perSubject) note('watch event', subject.name, await watchCost(server, subject));
  }
  return [...costs].map(([operation, byKind]) => ({ operation, micros: Object.fromEntries(byKind) }));
}

async function costOf(
  { access, pid }: ComparedServer,
  load: Pick<LoadOptions, 'count' | 'requestFor'>,
): Promise<number> {
  let before = 0;
  const { failures } = await runClosedLoop({
    access,
    protocol: 'http/1.1',
    clients,
    ...load,
    onReady: async () => {
      before = await cpuMicros(pid);
    },
  });
  if (failures.length > 0) throw new Error(`operations failed: ${failures.join(', ')}`);
  return ((await cpuMicros(pid)) - before) / load.count;
}

async function watchCost({ access, pid }: ComparedServer, { collection, object }: Subject): Promise<number> {
  let before = 0;
  const result = await runWatchLoad({
    access,
    protocol: 'http/1.1',
    watchers,
    writes: watchedWrites,
    isInStep: false,
    watched: { collection, body: (name) => JSON.stringify(object(name, 1)) },
    onReady: async () => {
      before = await cpuMicros(pid);
    },
  });
  const after = await cpuMicros(pid);
  result.close();
  if (result.failures.length > 0) throw new Error(`changes failed: ${result.failures.join(', ')}`);
  return (after - before) / (watchers * watchedWrites);
}
