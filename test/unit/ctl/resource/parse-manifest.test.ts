import { expect } from 'chai';
import {
  type ManifestDocument,
  type ManifestReading,
  parseManifest,
} from '../../../../src/ctl/resource/parse-manifest.ts';
import { ManifestSyntaxError } from '../../../../src/ctl/resource/syntax-error.ts';

const documentsOf = async (text: string, reading?: ManifestReading) => {
  const documents: ManifestDocument[] = [];
  for await (const document of parseManifest(text, 'f.yaml', reading)) documents.push(document);
  return documents;
};
const valuesOf = async (text: string): Promise<unknown[]> =>
  (await documentsOf(text)).flatMap(({ values }) => values);

describe('parseManifest', () => {
  it('leaves out documents of blank lines and comments', async () => {
    const text = '\n# one\r\n---\n \t\n  # two\n--- # three\na: 1\n---\n\r\n';
    expect(await valuesOf(text)).to.deep.equal([{ a: 1 }]);
  });

  it('keeps the items of a list together', async () => {
    const text = 'kind: List\nitems: [{a: 1}, {kind: PodList, items: [{b: 1}]}]\n---\nc: 1\n';
    const documents = await documentsOf(text);
    expect(documents.map(({ values }) => values)).to.deep.equal([[{ a: 1 }, { b: 1 }], [{ c: 1 }]]);
  });

  const unread: readonly (readonly [text: string, release: string, pointed: string])[] = [
    [
      'a: 1\n---\nb: 1\nc:\n  d: e: f\n',
      'error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context',
      'f.yaml:5:7 mapping values are not allowed in this context',
    ],
    [
      '{metadata: 1}',
      "json: line 0: invalid character 'm' looking for beginning of object key string",
      "f.yaml:1:2 invalid character 'm' looking for beginning of object key string",
    ],
    [
      '{"a": 1} {"b":\n\n  }',
      "json: line 2: invalid character '}' looking for beginning of value",
      "f.yaml:3:3 invalid character '}' looking for beginning of value",
    ],
    ['{"ä": [1', 'unexpected EOF', 'f.yaml:1:9 unexpected end of JSON input'],
  ];
  for (const [text, release, pointed] of unread) {
    it(`says where ${JSON.stringify(text)} cannot be read`, async () => {
      const failure = (isRelease: boolean) =>
        documentsOf(text, { isRelease }).catch((error: unknown) => error);
      for (const error of [await failure(true), await failure(false)])
        expect(error).to.be.instanceOf(ManifestSyntaxError);
      expect(await failure(true)).to.have.property('message', `error parsing f.yaml: ${release}`);
      expect(await failure(false)).to.have.property('message', pointed);
    });
  }

  it('gives what stands before that as the release does', async () => {
    const seen: unknown[] = [];
    const read = async () => {
      for await (const { values } of parseManifest('a: 1\n---\nb: c: d\n', 'f', { isRelease: true }))
        seen.push(...values);
    };
    expect(await read().catch((error: unknown) => error)).to.be.instanceOf(ManifestSyntaxError);
    expect(seen).to.deep.equal([{ a: 1 }]);
  });

  // To try all ways to split the blanks would take longer than the test may.
  for (const blank of ['\n', ' \n', '\r\n', '#\n']) {
    it(`reads what follows thousands of ${JSON.stringify(blank)}`, async () => {
      expect(await valuesOf(`${blank.repeat(5000)}a: 1\n`)).to.deep.equal([{ a: 1 }]);
    });
  }
});
