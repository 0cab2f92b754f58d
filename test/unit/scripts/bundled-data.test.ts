import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { build } from 'rolldown';
import { toAscii } from '../../../scripts/ascii.ts';
import { compactData, dataFiles } from '../../../scripts/bundled-data.ts';
import { failureOf } from '../../support/failure.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

const large = { text: '\u00e4\u4e16\u{1f600}'.repeat(20_000) };
const middle = { text: 'm'.repeat(5000) };
const small = { text: 's' };

/** What a module with the data of these files, each by its place below the folder, is built to; with the written files. */
async function buildWith(folder: string, files: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const lines = Object.keys(files).map((file, at) => `import data${at} from './${file}';`);
  for (const [file, data] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), JSON.stringify(data, undefined, 2));
  }
  const input = join(folder, 'main.js');
  await writeFile(input, `${lines.join('\n')}\nexport default [${lines.map((_, at) => `data${at}`)}];`);
  const addressOf = (name: string): string => `import.meta.dirname + '/${name}'`;
  const plugins = [dataFiles('kept', addressOf), compactData];
  await build({ input, platform: 'node', plugins, logLevel: 'silent', output: { dir: join(folder, 'out') } });
  const built = (await import(join(folder, 'out/main.js'))) as { default: unknown[] };
  return built.default;
}

describe('data in the bundle', () => {
  it('is the same in the code, as text, and in a file of its own', async () => {
    await using folder = await makeTemporaryDirectory();
    const files = { 'a/large.json': large, 'a/middle.json': middle, 'small.json': small };
    expect(await buildWith(folder.path, files)).to.deep.equal([large, middle, small]);
    expect(JSON.parse(await readFile(join(folder.path, 'out/kept/a-large.json'), 'latin1'))).to.deep.equal(
      large,
    );
    const code = await readFile(join(folder.path, 'out/main.js'), 'utf8');
    expect(code).to.include(`JSON.parse("{`).and.to.have.length.below(7000);
  });

  it('lies in files that nothing else is in', async () => {
    await using folder = await makeTemporaryDirectory();
    const built = buildWith(folder.path, { 'a/large.json': large, 'b/a/large.json': large });
    expect(await failureOf(built))
      .to.have.property('message')
      .which.includes('a-large.json would be both');
  });
});

describe('code in ASCII', () => {
  it('means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const code = toAscii(JSON.stringify(text));
        expect(code).to.match(/^[\0-\x7f]*$/);
        expect(JSON.parse(code)).to.equal(text);
      }),
    );
  });
});
