import { expect } from 'chai';
import { isLabelValue, isQualifiedName } from '../../../../src/machinery/formats/index.ts';
import { pod, run, specOf, write } from './fixtures.ts';

const [qualifiedName] = isQualifiedName('-a');
const [labelValue] = isLabelValue('b c');

describe('PodNodeSelector', () => {
  const annotation = 'scheduler.alpha.orch.io/node-selector';
  const place = async (
    selector: string | undefined,
    nodeSelector?: object,
    configured: Readonly<Record<string, string>> = {},
  ) => {
    const annotations = selector === undefined ? {} : { [annotation]: selector };
    const object = pod(nodeSelector === undefined ? {} : { nodeSelector });
    const refused = await run(write({ object }), {
      plugins: ['PodNodeSelector'],
      objects: { '/namespaces': [{ metadata: { name: 'default', annotations } }] },
      options: { nodeSelectors: new Map(Object.entries(configured)) },
    });
    return refused === undefined ? specOf(object).nodeSelector : [refused.code, refused.message];
  };
  const conflict =
    'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector';

  const cases: readonly (readonly [string | undefined, object | undefined, unknown])[] = [
    [undefined, undefined, undefined],
    ['', { a: 'b' }, { a: 'b' }],
    ['zone=x, disk = ssd', undefined, { zone: 'x', disk: 'ssd' }],
    ['zone=x', { a: 'b' }, { zone: 'x', a: 'b' }],
    ['zone=x', { zone: 'x' }, { zone: 'x' }],
    ['zone=', { zone: '' }, { zone: '' }],
    ['zone=x', { zone: 'y' }, [403, conflict]],
    ['zone', undefined, [500, 'invalid selector: [zone]']],
    ['zone=x=y', undefined, [500, 'invalid selector: [zone x y]']],
    ['zone=x,', undefined, [500, 'invalid selector: []']],
    ['-a=b', undefined, [500, `invalid label key "-a": ${qualifiedName}`]],
    ['a=b c', undefined, [500, `invalid label value: "b c": at key: "a": ${labelValue}`]],
  ];
  for (const [selector, own, expected] of cases) {
    it(`makes ${JSON.stringify(expected)} of ${selector} and ${JSON.stringify(own)}`, async () => {
      expect(await place(selector, own)).to.deep.equal(expected);
    });
  }

  const unlisted =
    'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist';
  const clusterDefault = { clusterDefaultNodeSelector: 'zone=x' };
  type Configured = Readonly<Record<string, string>>;
  const configured: readonly (readonly [
    string,
    Configured,
    string | undefined,
    object | undefined,
    unknown,
  ])[] = [
    ['adds the default of the configuration', clusterDefault, undefined, undefined, { zone: 'x' }],
    ['refuses what conflicts with it', clusterDefault, undefined, { zone: 'y' }, [403, conflict]],
    ['prefers the annotation', clusterDefault, 'a=b', undefined, { a: 'b' }],
    ['prefers an empty annotation, too', clusterDefault, '', undefined, undefined],
    ['lets through what is listed', { default: 'a=b,c=d' }, undefined, { a: 'b' }, { a: 'b' }],
    ['lets through a pod that selects nothing', { default: 'a=b' }, undefined, undefined, undefined],
    ['refuses a label that is not listed', { default: 'a=b' }, undefined, { c: 'd' }, [403, unlisted]],
    ['refuses a value that is not listed', { default: 'a=b' }, undefined, { a: 'c' }, [403, unlisted]],
    ['looks at what it added', { default: 'a=b' }, 'zone=x', undefined, [403, unlisted]],
    ['takes lists of other namespaces for theirs', { other: 'a=b' }, undefined, { c: 'd' }, { c: 'd' }],
    ['takes an empty list for no bound', { default: '' }, undefined, { c: 'd' }, { c: 'd' }],
    [
      'says what is wrong with a list when it counts',
      { default: 'a' },
      undefined,
      undefined,
      [500, 'invalid selector: [a]'],
    ],
  ];
  for (const [what, configuration, selector, own, expected] of configured) {
    it(what, async () => {
      expect(await place(selector, own, configuration)).to.deep.equal(expected);
    });
  }

  it('needs the namespace', async () => {
    const refusal = await run(write({ object: pod() }), { plugins: ['PodNodeSelector'] });
    expect(refusal).to.include({
      code: 500,
      message: 'Internal error occurred: namespace default does not exist',
    });
  });
});
