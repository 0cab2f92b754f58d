import { expect } from 'chai';
import { pod, run, specOf, write } from './fixtures.ts';

describe('PodNodeSelector', () => {
  const annotation = 'scheduler.alpha.orch.io/node-selector';
  const place = async (selector: string | undefined, nodeSelector?: object) => {
    const annotations = selector === undefined ? {} : { [annotation]: selector };
    const object = pod(nodeSelector === undefined ? {} : { nodeSelector });
    const refused = await run(write({ object }), {
      plugins: ['PodNodeSelector'],
      objects: { '/namespaces': [{ metadata: { name: 'default', annotations } }] },
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
  ];
  for (const [selector, own, expected] of cases) {
    it(`makes ${JSON.stringify(expected)} of ${selector} and ${JSON.stringify(own)}`, async () => {
      expect(await place(selector, own)).to.deep.equal(expected);
    });
  }
});
