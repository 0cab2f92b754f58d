import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { loadManifestDecoder } from '../../../../src/nodeagent/sources/index.ts';

const manifest = (container: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i', ...container }] },
    }),
  );

const pages = { 'hugepages-2Mi': '4Mi', 'hugepages-1Gi': '1Gi', cpu: '1', memory: '1Gi' };
const cases: readonly (readonly [gate: string, refusal: string, container: object])[] = [
  ['HugePageStorageMediumSize', 'hugepages', { resources: { limits: pages, requests: pages } }],
  [
    'DownwardAPIHugePages',
    'limits.hugepages-2Mi',
    {
      env: [
        { name: 'E', valueFrom: { resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '1Mi' } } },
      ],
    },
  ],
];

describe('gates and static pods', () => {
  for (const [gate, refusal, container] of cases) {
    it(`${gate} allows what is refused without it`, async () => {
      const decodeWith = async (gates: ReadonlySet<string>) => {
        const decoder = await loadManifestDecoder({ dialect: orchDialect, nodeName: 'n', gates });
        const origin = { source: 'file', location: '/p.json' } as const;
        return decoder.decodePod(manifest(container), origin, 0);
      };
      expect((await decodeWith(new Set([gate]))).metadata.name).to.equal('p-n');
      const error = await decodeWith(new Set()).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error).with.property('message').that.includes(refusal);
    });
  }
});
