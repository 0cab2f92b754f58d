import { expect } from 'chai';
import type { TolerationLists } from '../../../../src/server/admission/index.ts';
import { pod, run, specOf, write } from './fixtures.ts';

const memoryPressure = { key: 'node.orch.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
const gpu = { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' };
const disk = { key: 'disk', operator: 'Equal', value: 'ssd', effect: 'NoSchedule' };
const anything = { operator: 'Exists' };
const oneHour = { key: 'gpu', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3600 };
const oneMinute = { ...oneHour, tolerationSeconds: 60 };

interface Situation {
  readonly defaults?: unknown;
  readonly whitelist?: unknown;
  readonly lists?: TolerationLists;
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly own?: readonly object[];
  readonly requests?: object;
}

const scheduler = 'scheduler.alpha.orch.io';
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The pod's tolerations when it was let through, else code and message of the refusal. */
async function tolerationsIn({ own, requests = {}, operation = 'CREATE', ...given }: Situation) {
  const annotations = {
    ...(given.defaults === undefined ? {} : { [`${scheduler}/defaultTolerations`]: textOf(given.defaults) }),
    ...(given.whitelist === undefined
      ? {}
      : { [`${scheduler}/tolerationsWhitelist`]: textOf(given.whitelist) }),
  };
  const containers = [{ name: 'c', image: 'i', resources: { requests } }];
  const object = pod({ containers, ...(own === undefined ? {} : { tolerations: own }) });
  const refusal = await run(write({ object, operation, oldObject: object }), {
    plugins: ['PodTolerationRestriction'],
    objects: { '/namespaces': [{ metadata: { name: 'default', annotations } }] },
    options: { tolerationLists: given.lists },
  });
  return refusal === undefined ? specOf(object).tolerations : [refusal.code, refusal.message];
}

const conflict = (scope: string) => [
  500,
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
];
const lists = (parts: Partial<TolerationLists>): TolerationLists => ({
  default: [],
  whitelist: [],
  ...parts,
});

describe('PodTolerationRestriction', () => {
  const cases: readonly (readonly [string, Situation, unknown])[] = [
    ['leaves a pod alone in a namespace that says nothing', {}, undefined],
    ['adds the defaults of the namespace', { defaults: [gpu] }, [gpu]],
    ['adds them behind those of the pod', { defaults: [gpu], own: [disk] }, [disk, gpu]],
    ['keeps of two the one that includes the other', { defaults: [gpu], own: [anything] }, [anything]],
    ['keeps the longer time', { defaults: [oneHour], own: [oneMinute] }, [oneHour]],
    ['adds the defaults of the configuration', { lists: lists({ default: [gpu] }) }, [gpu]],
    ['prefers the defaults of the namespace', { defaults: [disk], lists: lists({ default: [gpu] }) }, [disk]],
    [
      'takes an empty annotation as none wanted',
      { defaults: '', lists: lists({ default: [gpu] }) },
      undefined,
    ],
    ['takes null the same way', { defaults: 'null', lists: lists({ default: [gpu] }) }, undefined],
    ['adds no defaults on an update', { defaults: [gpu], operation: 'UPDATE', own: [disk] }, [disk]],
    ['lets pods with requests stay under memory pressure', { requests: { cpu: '1' } }, [memoryPressure]],
    [
      'does so on an update too',
      { requests: { cpu: '1' }, operation: 'UPDATE', own: [gpu] },
      [gpu, memoryPressure],
    ],
    ['lets through what the whitelist includes', { whitelist: [anything], own: [gpu, disk] }, [gpu, disk]],
    ['refuses what it does not', { whitelist: [gpu], own: [disk] }, conflict('namespace')],
    ['refuses longer times', { whitelist: [oneMinute], own: [oneHour] }, conflict('namespace')],
    ['looks at the defaults that it added', { whitelist: [gpu], defaults: [disk] }, conflict('namespace')],
    ['takes an empty whitelist for no bound', { whitelist: [], own: [disk] }, [disk]],
    [
      'has the whitelist of the configuration',
      { lists: lists({ whitelist: [gpu] }), own: [disk] },
      conflict('cluster'),
    ],
    [
      'prefers the whitelist of the namespace',
      { whitelist: [disk], lists: lists({ whitelist: [gpu] }), own: [disk] },
      [disk],
    ],
    [
      'has it on an update too',
      { whitelist: [gpu], operation: 'UPDATE', own: [disk] },
      conflict('namespace'),
    ],
    ['passes over members that it does not know', { defaults: [{ ...gpu, color: 'red' }] }, [gpu]],
    ['needs a list', { defaults: {} }, [500, 'tolerations: must be a list of tolerations']],
    ['needs texts', { defaults: [{ key: 1 }] }, [500, 'tolerations[0].key: must be a text']],
    [
      'needs whole seconds',
      { whitelist: [{ ...gpu, tolerationSeconds: 0.5 }], own: [gpu] },
      [500, 'tolerations[0].tolerationSeconds: must be a whole number'],
    ],
  ];
  for (const [what, situation, expected] of cases) {
    it(what, async () => {
      expect(await tolerationsIn(situation)).to.deep.equal(expected);
    });
  }

  it('refuses annotations that are no JSON', async () => {
    expect(await tolerationsIn({ defaults: '[{' })).to.have.property('0', 500);
  });

  it('does not find a namespace that is not there', async () => {
    const refusal = await run(write({ object: pod() }), { plugins: ['PodTolerationRestriction'] });
    expect(refusal).to.include({ code: 404, message: 'namespaces "default" not found' });
  });
});
