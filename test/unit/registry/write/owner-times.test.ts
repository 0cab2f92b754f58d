import { expect } from 'chai';
import { updateObject } from '../../../../src/registry/index.ts';
import type { ChangeRequest } from '../../../../src/registry/write/change.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { alice, parse, TestRegistry } from '../../../support/registry.ts';

const path = 'apps/v1/deployments';
const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** A deployment, with the labels that a test changes. */
const deployment = (labels: JsonObject, status?: JsonObject): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: {
      metadata: { labels: { app: 'd' } },
      spec: { containers: [{ name: 'main', image: 'example/image:1' }] },
    },
  },
  ...(status && { status }),
});

type Write = Pick<ChangeRequest, 'change'> & { readonly subresource?: string };

/** How each way to write sets a label, or a field of the status, to a value; undefined takes the second one away. */
const ways: Record<string, (first: string, second?: string) => Write> = {
  update: (a, b) => ({ change: { kind: 'replace', body: { kind: 'value', value: deployment({ a, b }) } } }),
  'merge patch': (a, b = null as never) => ({
    change: { kind: 'patch', format: 'merge', bytes: bytesOf({ metadata: { labels: { a, b } } }) },
  }),
  'strategic patch': (a, b = null as never) => ({
    change: { kind: 'patch', format: 'strategic', bytes: bytesOf({ metadata: { labels: { a, b } } }) },
  }),
  apply: (a, b) => ({
    change: {
      kind: 'apply',
      isForced: true,
      bytes: bytesOf({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd', labels: { a, b } },
      }),
    },
  }),
  'update of the status': (a, b) => ({
    subresource: 'status',
    change: {
      kind: 'replace',
      body: {
        kind: 'value',
        value: deployment(
          {},
          { replicas: 10 + Number(a), readyReplicas: b === undefined ? undefined : Number(b) },
        ),
      },
    },
  }),
  'patch of the status': (a, b) => ({
    subresource: 'status',
    change: {
      kind: 'patch',
      format: 'merge',
      bytes: bytesOf({
        status: { replicas: 10 + Number(a), readyReplicas: b === undefined ? null : Number(b) },
      }),
    },
  }),
};

describe('the time of a manager', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open({ recordsOwners: true });
    await registry.create(path, deployment({ other: '1' }));
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  /** Writes one second after the last write; answers the seconds of the manager's time, and its fields. */
  const write = async (one: Write, manager = 'm'): Promise<{ second: string; fields: unknown }> => {
    registry.clock.advance(1_000);
    const { bytes } = await updateObject(registry.served(path), {
      namespace: 'default',
      name: 'd',
      subresource: '',
      manager,
      options: { user: alice, isDryRun: false },
      ...one,
    });
    const entries: JsonObject[] = parse(bytes).metadata.managedFields;
    const entry = entries.find((other) => other.manager === 'm');
    return { second: entry?.time.slice(17, 19), fields: entry?.fieldsV1 };
  };

  for (const [way, set] of Object.entries(ways)) {
    describe(`that writes by ${way}`, () => {
      it(`${way === 'apply' ? 'moves' : 'stays'} while only values change`, async () => {
        const first = await write(set('1', '1'));
        expect(first.second).to.equal('07');
        const seconds = [await write(set('2', '1')), await write(set('2', '3'))].map(({ second }) => second);
        expect(seconds).to.deep.equal(way === 'apply' ? ['08', '09'] : ['07', '07']);
      });

      it('moves when it comes to own another field', async () => {
        const first = await write(set('1'));
        const second = await write(set('2', '1'));
        expect([first.second, second.second]).to.deep.equal(['07', '08']);
        expect(second.fields).not.to.deep.equal(first.fields);
      });

      it('stays when another manager takes a field from it', async () => {
        await write(set('1', '1'));
        const left = await write(set('1', '2'), 'thief');
        expect(left.second).to.equal('07');
      });
    });
  }

  it('stays when an applier repeats what it applied', async () => {
    const apply = ways.apply as (typeof ways)[string];
    await write(apply('1', '1'));
    expect((await write(apply('1', '1'))).second).to.equal('07');
  });

  it('moves when an applier drops a field', async () => {
    const apply = ways.apply as (typeof ways)[string];
    await write(apply('1', '1'));
    expect((await write(apply('1'))).second).to.equal('08');
  });

  it('moves when an applier speaks another version', async () => {
    const scaled = (apiVersion: string, targetKind: string): Write => ({
      change: {
        kind: 'apply',
        isForced: false,
        bytes: bytesOf({
          apiVersion,
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'h' },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: targetKind, name: 'd' } },
        }),
      },
    });
    const timesAfter = async (version: string, kind: string): Promise<string[]> => {
      registry.clock.advance(1_000);
      const { bytes } = await updateObject(
        registry.served(`autoscaling/${version}/horizontalpodautoscalers`),
        {
          namespace: 'default',
          name: 'h',
          subresource: '',
          manager: 'm',
          options: { user: alice, isDryRun: false },
          ...scaled(`autoscaling/${version}`, kind),
        },
      );
      const entries: JsonObject[] = parse(bytes).metadata.managedFields;
      return entries.map(({ apiVersion, time }) => `${apiVersion} ${time.slice(17, 19)}`);
    };
    expect(await timesAfter('v1', 'Deployment')).to.deep.equal(['autoscaling/v1 07']);
    expect(await timesAfter('v1', 'ReplicaSet')).to.deep.equal(['autoscaling/v1 08']);
    expect(await timesAfter('v2beta2', 'ReplicaSet')).to.deep.equal(['autoscaling/v2beta2 09']);
  });
});
