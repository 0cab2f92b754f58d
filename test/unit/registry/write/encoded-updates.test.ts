import { expect } from 'chai';
import fc from 'fast-check';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { type Change, updateObject } from '../../../../src/registry/index.ts';
import type { Storage, WriteResult } from '../../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { configMap, deployment, pod } from '../../../support/objects.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

/** A store that answers with copies: nobody can tell that the cache holds what he wrote, and each value is made anew. */
function answeringCopies(storage: Storage): Storage {
  const copied = async (write: Promise<WriteResult>): Promise<WriteResult> => {
    const result = await write;
    if (result.kind !== 'ok') return result;
    return { ...result, object: { ...result.object, bytes: Buffer.from(result.object.bytes) } };
  };
  const changed: Partial<Storage> = {
    create: (...args) => copied(storage.create(...args)),
    update: (...args) => copied(storage.update(...args)),
  };
  return new Proxy(storage, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return Reflect.get(changed, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

interface Step {
  readonly manager: string;
  readonly subresource: string;
  readonly seconds: number;
  readonly change: Change;
}

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const word = fc.constantFrom('a', 'b', 'ä€', '"\\\n', '<&>', '__proto__', 'constructor', '10', '9', '');
const annotations = fc.dictionary(fc.constantFrom('x/a', 'b', '2', '10'), word, { maxKeys: 3 });
const metadata = fc.record(
  {
    annotations: fc.option(annotations),
    labels: fc.option(fc.dictionary(fc.constantFrom('k', 'a'), fc.constantFrom('v', 'w'), { maxKeys: 2 })),
    finalizers: fc.constantFrom([], ['example.org/f']),
  },
  { requiredKeys: [] },
);
const kinds: readonly {
  readonly path: string;
  readonly first: JsonObject;
  /** Members beside the metadata, in any order, with values that say nothing. */
  readonly content: fc.Arbitrary<object>;
}[] = [
  {
    path: 'v1/configmaps',
    first: configMap('a', { k: 'v' }),
    content: fc.record(
      {
        data: fc.option(fc.dictionary(fc.constantFrom('k', 'l'), word)),
        binaryData: fc.constantFrom({}, null),
      },
      { requiredKeys: [] },
    ),
  },
  {
    path: 'v1/pods',
    first: pod('a'),
    content: fc.constantFrom<object[]>(
      { spec: { containers: [{ name: 'main', image: 'example/image:1' }] } },
      { spec: { containers: [{ image: 'example/image:2', name: 'main' }], hostNetwork: false } },
      { spec: { containers: [{ image: 'example/image:1', name: 'main', env: [] }], nodeSelector: {} } },
      { spec: { containers: [{ name: 'other', image: 'example/image:1' }] } },
      { status: { phase: 'Running' }, spec: { containers: [{ name: 'main', image: 'example/image:1' }] } },
    ),
  },
  {
    path: 'apps/v1/deployments',
    first: deployment('a'),
    content: fc.constantFrom<object[]>(
      { spec: deployment('a').spec as object },
      { spec: { ...(deployment('a').spec as object), replicas: 2 } },
      { spec: { replicas: 0, ...(deployment('a').spec as object) } },
      { spec: { ...(deployment('a').spec as object), paused: false } },
      { status: { replicas: 1 }, spec: deployment('a').spec as object },
    ),
  },
];

function changesOf(first: JsonObject, content: fc.Arbitrary<object>): fc.Arbitrary<Change> {
  const whole = fc.tuple(metadata, content).map(([meta, rest]) => {
    const { kind, apiVersion } = first;
    return { kind, apiVersion, ...rest, metadata: { ...meta, name: 'a', namespace: 'default' } };
  });
  const part = fc.oneof(
    metadata.map((meta) => ({ metadata: meta })),
    content,
  );
  return fc.oneof(
    whole.map(
      (value): Change => ({
        kind: 'replace',
        body: { kind: 'bytes', format: 'json', bytes: bytesOf(value) },
      }),
    ),
    part.map((value): Change => ({ kind: 'patch', format: 'merge', bytes: bytesOf(value) })),
    part.map((value): Change => ({ kind: 'patch', format: 'strategic', bytes: bytesOf(value) })),
    whole.map((value): Change => ({ kind: 'apply', isForced: true, bytes: bytesOf(value) })),
  );
}

async function play(registry: TestRegistry, path: string, step: Step): Promise<string> {
  registry.clock.advance(step.seconds * 1000);
  const { manager, subresource, change } = step;
  const options = { user: alice, isDryRun: false };
  const request = { namespace: 'default', name: 'a', manager, subresource, change, options };
  try {
    return (await updateObject(registry.served(path), request)).bytes.toString();
  } catch (error) {
    if (error instanceof StatusError) return JSON.stringify(error.status);
    throw error;
  }
}

describe('updates of objects that this process wrote', () => {
  for (const { path, first, content } of kinds) {
    it(`answer and store the same bytes as if all were encoded anew: ${path}`, async () => {
      const step: fc.Arbitrary<Step> = fc.record({
        manager: fc.constantFrom('m', 'n'),
        subresource: fc.constantFrom('', '', '', first.kind === 'ConfigMap' ? '' : 'status'),
        seconds: fc.constantFrom(0, 0, 1),
        change: changesOf(first, content),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const memory = answeringCopies(openMemoryStorage({ clock: new ManualClock() }));
          await using usual = await TestRegistry.open({ recordsOwners: true });
          await using anew = await TestRegistry.open({ recordsOwners: true, storage: memory });
          for (const registry of [usual, anew]) await registry.create(path, first);
          const isMarked = (registry: TestRegistry) => {
            const { cache, keyPrefix } = registry.served(path).store;
            return cache.get(`${keyPrefix}default/a`)?.isCanonical;
          };
          expect([isMarked(usual), isMarked(anew)]).to.deep.equal([true, false]);
          for (const one of steps) {
            expect(await play(usual, path, one)).to.equal(await play(anew, path, one));
          }
          expect(await usual.stored(path, 'a')).to.deep.equal(await anew.stored(path, 'a'));
        }),
        { numRuns: 60 },
      );
    }).timeout(120_000);
  }
});
