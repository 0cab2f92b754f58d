import { expect } from 'chai';
import { findFunctions } from './functions.ts';
import { sourceFiles, textOf } from './source-files.ts';

const maxLines = 60;

const longIn = (file: string): string[] =>
  findFunctions(textOf(file))
    .filter(({ lineCount, hasReason }) => lineCount > maxLines && !hasReason)
    .map(({ line, lineCount }) => `${file}:${line} has ${lineCount} lines`);

describe('findFunctions', () => {
  const found = (text: string): number[][] =>
    findFunctions(text).map(({ line, lineCount }) => [line, lineCount]);

  it('finds functions, methods and arrow functions with headers of one line or several', () => {
    expect(found('export async function a(b: C): D {\n  x();\n}\n')).to.deep.equal([[1, 3]]);
    expect(found('function a(\n  b: C,\n): D {\n  x();\n}\n')).to.deep.equal([[1, 5]]);
    expect(found('function a({\n  b,\n}: C): D {\n}\n')).to.deep.equal([[1, 4]]);
    expect(found('class A {\n  async #b(c: D) {\n  }\n\n  get e(): F {\n  }\n}\n')).to.deep.equal([
      [2, 2],
      [5, 2],
    ]);
    expect(found('const a = (b: C): D => {\n  for (const e of b) {\n  }\n};\n')).to.deep.equal([[1, 4]]);
  });

  it('leaves out statements, types and objects', () => {
    for (const text of [
      'if (a(b)) {\n}\n',
      'const a = {\n  b: c(d),\n};\n',
      'interface A {\n  b(): C;\n}\n',
    ]) {
      expect(found(text), text).to.deep.equal([]);
    }
    expect(found('if (\n  a\n) {\n}\n')).to.deep.equal([]);
  });

  it('reads the reason of a long one', () => {
    const reasons = (text: string) => findFunctions(text).map(({ hasReason }) => hasReason);
    expect(reasons('/** Does it. Long: one case a line. */\nfunction a() {\n}\n')).to.deep.equal([true]);
    expect(reasons('function a() {\n  // Long: one case a line.\n}\n')).to.deep.equal([true]);
    expect(reasons('/** Does it. */\nfunction a() {\n}\n')).to.deep.equal([false]);
  });
});

describe('functions of the sources', () => {
  it(`have at most ${maxLines} lines, or the reason beside them`, () => {
    expect(sourceFiles().flatMap(longIn)).to.deep.equal([]);
  });
});
