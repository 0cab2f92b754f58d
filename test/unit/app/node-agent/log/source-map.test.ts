import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { minify, transform } from 'rolldown/utils';
import { readSourceMap } from '../../../../../src/app/node-agent/log/source-map.ts';

const sample = join(import.meta.dirname, '../../../../../src/app/node-agent/log/log-files.ts');

/** What the bundler makes of a source, and the map to that. */
async function build(source: string, { minified = false } = {}): Promise<{ code: string; map: string }> {
  const built = await transform('a.ts', source, { sourcemap: true });
  if (!minified) return { code: built.code, map: JSON.stringify(built.map) };
  const inputMap = built.map === undefined ? {} : { inputMap: built.map };
  const { code, map } = await minify('a.ts', built.code, { sourcemap: true, ...inputMap });
  return { code, map: JSON.stringify(map) };
}

describe('readSourceMap', () => {
  it('finds what the reader of the runtime finds, wherever one looks', async () => {
    const source = readFileSync(sample, 'utf8');
    const { code, map } = await build(source);
    const [find, other] = [readSourceMap(map), new SourceMap(JSON.parse(map))];
    const lines = code.split('\n');
    expect(lines.length).to.be.greaterThan(50);
    for (const [index, text] of lines.entries()) {
      for (let column = 0; column < text.length; column++) {
        const expected = other.findEntry(index, column);
        // The other one goes on with the line before where a line has nothing at its beginning.
        if (!('originalSource' in expected) || expected.generatedLine !== index) continue;
        expect(find(index + 1, column + 1), `${index}:${column}`).to.deep.equal({
          file: expected.originalSource,
          line: expected.originalLine + 1,
          column: expected.originalColumn + 1,
        });
      }
    }
  });

  it('finds the line of a call that was moved', async () => {
    const source = [
      'interface Gone {',
      '  readonly a: string;',
      '}',
      'export const f = () =>',
      '  call();',
      '',
    ];
    const { code, map } = await build(source.join('\n'), { minified: true });
    const column = code.indexOf('call()') + 1;
    expect(readSourceMap(map)(1, column)).to.include({ line: 5, column: 3 });
  });

  it('knows nothing of places outside', () => {
    const find = readSourceMap('{"version":3,"sources":["a.ts"],"names":[],"mappings":";EAAA,G"}');
    const answers = [
      find(0, 1),
      find(1, 1),
      find(2, 2),
      find(2, 3)?.file,
      find(2, 6),
      find(3, 1),
      find(99, 1),
    ];
    expect(answers).to.deep.equal([undefined, undefined, undefined, 'a.ts', undefined, undefined, undefined]);
  });

  for (const text of [
    '',
    '[]',
    '{}',
    '{"sources":[],"mappings":"A?"}',
    '{"sources":[],"mappings":"AAAAAA"}',
  ]) {
    it(`refuses ${text === '' ? 'nothing' : text}`, () => {
      expect(() => readSourceMap(text)).to.throw(SyntaxError);
    });
  }
});
