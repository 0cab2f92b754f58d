import { globSync } from 'node:fs';
import { expect } from 'chai';
import { root, sourceFiles, textOf } from './source-files.ts';

/**
 * Casts that the sources have. Each needs a reason, and a type, decoder or guard is better: lower this number with each that
 * goes, and do not raise it.
 */
const maxCasts = 398;

const comment = String.raw`\/\/.*|\/\*[\s\S]*?\*\/`;
const text = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`;
const expression = String.raw`\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*(?=[\s).,;:])`;
const word = /(?<=[\w)\]}>!'`]\s+)as(?=\s+(?!const\b))/g;

/** Code without comments, texts, patterns and imports. What stands between `${` and `}` is code. */
function codeOf(source: string): string {
  const bare = source.replace(
    new RegExp(`${comment}|${text}|(?<=[(,=:&|?]\\s*)${expression}`, 'g'),
    (found) => (found.startsWith('/') ? '' : "''"),
  );
  const withoutTemplates = bare.replace(/`(?:[^`\\]|\\.)*`/g, (template) =>
    Array.from(template.matchAll(/\$\{([^}]*)\}/g), ([, code]) => `(${code})`).join(' '),
  );
  return withoutTemplates.replace(/^(?:import|export)\b[^;]*\bfrom\b[^;]*;/gm, '');
}

/** Each cast counts, both of `as unknown as` too; `as const` is none. */
const castsOf = (source: string): number => [...codeOf(source).matchAll(word)].length;

describe('casts', () => {
  it('are counted in code only', () => {
    const lines: readonly (readonly [string, number])[] = [
      ['const a = b as unknown as C;', 2],
      ['const a = [] as const; // as good as any', 0],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program's text
      ["const a = 'x as y', b = `x as y ${c as D} as e`;", 1],
      ["import { a as b } from './c.ts';", 0],
      ["export {\n  a as b,\n} from './c.ts';", 0],
      ["const a = /it's as b/.test(c) ? d : (e as F);", 1],
      ['/* x as y */ for (const a of b as C) {}', 1],
    ];
    expect(lines.map(([line]) => castsOf(line))).to.deep.equal(lines.map(([, count]) => count));
  });

  it('do not get more', () => {
    const counts = sourceFiles().map((file) => castsOf(textOf(file)));
    expect(counts.reduce((sum, count) => sum + count, 0)).to.be.at.most(maxCasts);
  });
});

describe('tests', () => {
  it('have one style of assertions', () => {
    const files = globSync('test/**/*.ts', { cwd: root });
    const others =
      /import \{[^}]*\b(?:assert|should)\b[^}]*\} from 'chai'|from '(?:node:)?assert(?:\/strict)?'/;
    expect(files.filter((file) => others.test(textOf(file)))).to.be.empty;
  });
});
