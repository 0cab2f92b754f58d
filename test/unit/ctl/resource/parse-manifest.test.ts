import { expect } from 'chai';
import { parseManifest } from '../../../../src/ctl/resource/parse-manifest.ts';

const valuesOf = async (text: string): Promise<unknown[]> =>
  (await parseManifest(text, 'f.yaml')).flatMap(({ values }) => values);

describe('parseManifest', () => {
  it('leaves out documents of blank lines and comments', async () => {
    const text = '\n# one\r\n---\n \t\n  # two\n--- # three\na: 1\n---\n\r\n';
    expect(await valuesOf(text)).to.deep.equal([{ a: 1 }]);
  });

  it('keeps the items of a list together', async () => {
    const text = 'kind: List\nitems: [{a: 1}, {kind: PodList, items: [{b: 1}]}]\n---\nc: 1\n';
    const documents = await parseManifest(text, 'f.yaml');
    expect(documents.map(({ values }) => values)).to.deep.equal([[{ a: 1 }, { b: 1 }], [{ c: 1 }]]);
  });

  // To try all ways to split the blanks would take longer than the test may.
  for (const blank of ['\n', ' \n', '\r\n', '#\n']) {
    it(`reads what follows thousands of ${JSON.stringify(blank)}`, async () => {
      expect(await valuesOf(`${blank.repeat(5000)}a: 1\n`)).to.deep.equal([{ a: 1 }]);
    });
  }
});
