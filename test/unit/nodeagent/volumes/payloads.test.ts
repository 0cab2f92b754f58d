import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Pod, VolumeProjection } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { AgentObjects } from '../../../../src/nodeagent/objects/index.ts';
import { downwardPayload } from '../../../../src/nodeagent/volumes/downward-payload.ts';
import type { Payload } from '../../../../src/nodeagent/volumes/payload.ts';
import { projectedPayload } from '../../../../src/nodeagent/volumes/projected-payload.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { objectsOf } from './objects.ts';

const context = { podIps: [], hostIps: ['192.0.2.2'], allocatable: { cpu: '4', memory: '8Gi' } };

const shown = (payload: Payload): Record<string, string> =>
  Object.fromEntries(
    Array.from(payload, ([path, { content, mode, userId }]) => [
      path,
      [mode.toString(8), ...(userId === undefined ? [] : [`user ${userId}`]), content.toString()].join(' '),
    ]),
  );

const messageOf = (error: unknown): string => (error as Error).message; // the code throws errors only

describe('downwardPayload', () => {
  const pod = podOf(
    {
      containers: [containerOf({ resources: { requests: { memory: '10Mi' } } })],
    },
    { labels: { b: '2', a: 'one' }, annotations: { 'example.test/q': 'say "hi"\nline2' } },
  );

  it('writes fields of the pod and amounts of its containers', () => {
    const items = [
      { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
      { path: 'ann', fieldRef: { fieldPath: "metadata.annotations['example.test/q']" } },
      { path: 'name', mode: 0o600, fieldRef: { fieldPath: 'metadata.name' } },
      { path: 'mem', resourceFieldRef: { containerName: 'c', resource: 'requests.memory', divisor: '1Ki' } },
      { path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } },
    ];
    expect(shown(downwardPayload(items, { pod, context, defaultMode: 0o644 }))).to.deep.equal({
      labels: '644 a="one"\nb="2"',
      ann: '644 say "hi"\nline2',
      name: '600 web',
      mem: '644 10240',
      cpu: '644 4',
    });
  });

  it('says all that is wrong at once', () => {
    const items = [
      { path: 'a', fieldRef: { fieldPath: 'metadata.nope' } },
      { path: 'b', resourceFieldRef: { containerName: 'x', resource: 'limits.cpu' } },
    ];
    expect(() => downwardPayload(items, { pod, context, defaultMode: 0o644 })).to.throw(
      '[field label not supported: metadata.nope, container x not found]',
    );
  });
});

describe('projectedPayload', () => {
  const objects = objectsOf({
    configMaps: { cm: { a: 'A', b: 'B' } },
    secrets: { sec: { s: 'S' } },
  });
  const project = async (
    sources: VolumeProjection[],
    pod: Pod = podOf(),
    known: AgentObjects | undefined = objects,
  ) =>
    shown(
      await projectedPayload(sources, {
        pod,
        context,
        objects: known,
        dialect: orchDialect,
        defaultMode: 0o440,
      }),
    );

  it('joins all kinds of sources', async () => {
    const sources: VolumeProjection[] = [
      { configMap: { name: 'cm', items: [{ key: 'a', path: 'cm/a' }] } },
      { secret: { name: 'sec', items: [{ key: 's', path: 'sec/s', mode: 0o400 }] } },
      { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { serviceAccountToken: { path: 't', audience: 'me', expirationSeconds: 600 } },
      { configMap: { name: 'none', optional: true } },
    ];
    expect(await project(sources)).to.deep.equal({
      'cm/a': '440 A',
      'sec/s': '400 S',
      name: '440 web',
      t: '440 token of web for me 600',
    });
  });

  it('lets a later source replace an earlier one', async () => {
    const sources = [
      { configMap: { name: 'cm' } },
      { secret: { name: 'sec', items: [{ key: 's', path: 'a' }] } },
    ];
    expect(await project(sources)).to.deep.equal({ a: '440 S', b: '440 B' });
  });

  for (const [about, spec, expected] of [
    ['nobody in particular', {}, '440 token'],
    ['a group', { securityContext: { fsGroup: 2000 } }, '600 token'],
    ['one user', { securityContext: { runAsUser: 1000 } }, '600 user 1000 token'],
    [
      'different users',
      { containers: [containerOf({ securityContext: { runAsUser: 1 } }), containerOf({ name: 'd' })] },
      '440 token',
    ],
  ] as const) {
    it(`gives a token to ${about}`, async () => {
      const pod = podOf(structuredClone(spec) as Pod['spec']); // const data is read-only
      const { t } = await project([{ serviceAccountToken: { path: 't' } }], pod);
      expect(t).to.match(new RegExp(`^${expected} of web for  3600$`));
    });
  }

  it('names all sources that are missing', async () => {
    const sources = [{ configMap: { name: 'x' } }, { secret: { name: 'y' } }, { secret: { name: 'y' } }];
    expect(messageOf(await project(sources).catch((error) => error))).to.equal(
      '[configmap "x" not found, secret "y" not found]',
    );
  });

  it('cannot be made of objects without an API server', async () => {
    const standalone = (sources: VolumeProjection[]) =>
      projectedPayload(sources, {
        pod: podOf(),
        context,
        objects: undefined,
        dialect: orchDialect,
        defaultMode: 0o644,
      }).then(() => '', messageOf);
    expect(await standalone([{ secret: { name: 's' } }])).to.equal(
      'failed to sync secret cache: timed out waiting for the condition',
    );
    expect(await standalone([{ configMap: { name: 's', optional: true } }])).to.equal(
      'failed to sync configmap cache: timed out waiting for the condition',
    );
    expect(await standalone([{ serviceAccountToken: { path: 't' } }])).to.equal(
      'failed to fetch token: cannot use TokenManager when nodeagent is in standalone mode',
    );
  });
});
