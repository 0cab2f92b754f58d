import { expect } from 'chai';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { locateYamlFields, type YamlPath } from '../../../../src/machinery/codec/index.ts';

const places = (text: string, ...paths: YamlPath[]) =>
  locateYamlFields(text, paths).map((place) => place && `${place.line}:${place.column}`);

describe('locateYamlFields', () => {
  it('finds keys of maps and elements of lists', () => {
    const text = '# first\nspec:\n  ports:\n  - name: a\n    port: 1\n  - {name: b, port: 2}\n- x';
    expect(
      places(text.slice(0, -3), ['spec'], ['spec', 'ports', 0], ['spec', 'ports', 1, 'port']),
    ).to.deep.equal(['2:1', '4:5', '6:15']);
    expect(places('- - 1\n  - 2\n', [0, 1], [0])).to.deep.equal(['2:5', '1:3']);
  });

  it('finds quoted keys, and what follows texts of several lines', () => {
    const text = '"a.b/c": |\n  d: 1\n\n  e: 2\nf: "x\n\n  g: y"\n\'h\': 1\n';
    expect(places(text, ['a.b/c'], ['f'], ['h'], ['d'])).to.deep.equal(['1:1', '5:1', '8:1', '1:1']);
  });

  it('follows aliases and merge keys, circles of them too', () => {
    const text = 'base: &b\n  x: 1\nm:\n  <<: *b\n  y: 2\nn:\n  <<: [{x: 3}, *b]\nc: &c\n  <<: *c\n';
    expect(places(text, ['m', 'x'], ['m', 'y'], ['n', 'x'], ['c', 'x'], ['base', 'x'])).to.deep.equal([
      '2:3',
      '5:3',
      '7:9',
      '8:1',
      '2:3',
    ]);
    expect(places('a: {"<<": {x: 1}}\n', ['a', 'x'], ['a', '<<', 'x'])).to.deep.equal(['1:1', '1:12']);
  });

  it('counts columns of JSON with tabs and carriage returns', () => {
    const text = '{\r\n\t"a": {\r\n\t\t"b": [1,\t{"c": null}]}\r\n}';
    expect(places(text, ['a'], ['a', 'b'], ['a', 'b', 1, 'c'])).to.deep.equal(['2:2', '3:3', '3:13']);
  });

  it('means the last of equal keys, as the parser does', () => {
    expect(places('d: {x: 1}\nd: {y: 1}\n', ['d'], ['d', 'y'])).to.deep.equal(['2:1', '2:5']);
  });

  it('gives the nearest field above one that is not there, and nothing in text that is not YAML', () => {
    expect(places('---\na:\n  b: 1\n', ['a', 'c', 'd'], ['x'], [])).to.deep.equal(['2:1', '2:1', '2:1']);
    expect(places('a: [', ['a'])).to.deep.equal([undefined]);
    expect(places('', ['a'])).to.deep.equal(['1:1']);
  });

  it('finds every field of whatever is written in any style', () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, true, 'a\nb\n', ' x: y', '- z'));
    const key = fc.oneof(fc.stringMatching(/^[a-z./-]{1,6}$/), fc.string({ minLength: 1, maxLength: 5 }));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).any;
    const style = fc.record({
      indent: fc.integer({ min: 2, max: 5 }),
      flowLevel: fc.integer({ min: -1, max: 3 }),
    });
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { noNullPrototype: true }),
        style,
        fc.boolean(),
        (object, options, isJson) => {
          const text = isJson ? JSON.stringify(object, null, '\t') : dump(object, options);
          const paths = fieldsOf(object, []);
          const lines = text.split('\n');
          for (const [index, place] of locateYamlFields(text, paths).entries()) {
            const name = String(paths[index]?.at(-1));
            const rest = lines[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1) ?? '';
            const isAt = [name, `'${name.replaceAll("'", "''")}'`, JSON.stringify(name), '"', '? '].some(
              (form) => rest.startsWith(form),
            );
            expect(isAt, `${name} in ${rest}`).to.equal(true);
          }
          expect(
            new Set(locateYamlFields(text, paths).map((at) => `${at?.line}:${at?.column}`)).size,
          ).to.equal(paths.length);
        },
      ),
    );
  });
});

/** The paths of all fields of maps. */
function fieldsOf(value: unknown, path: YamlPath): YamlPath[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const own = [...path, Array.isArray(value) ? Number(key) : key];
    return [...(Array.isArray(value) ? [] : [own]), ...fieldsOf(below, own)];
  });
}
