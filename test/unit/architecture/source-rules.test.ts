import { globSync } from 'node:fs';
import { expect } from 'chai';
import { layerOf, root, sourceFiles, textOf } from './source-files.ts';

/** Lines of code (comments left out) that match, as `file:line text`. */
function linesThatMatch(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line, index) => ({ line, where: `${file}:${index + 1}` }))
      .filter(({ line }) => !/^\s*(?:\*|\/\/|\/\*)/.test(line) && pattern.test(line))
      .map(({ line, where }) => `${where} ${line.trim().slice(0, 100)}`),
  );
}

describe('the sources', () => {
  const isPure = (file: string): boolean =>
    ['machinery', 'apis'].includes(layerOf(file)) ||
    /^src\/nodeagent\/(sync|container-config|admission)\//.test(file);
  const pure = sourceFiles().filter(isPure);

  it('keep machinery, apis, and what the agent decides, free of input, output, clock and chance', () => {
    const impure =
      /from 'node:(?!buffer|crypto|path')|\b(?:Date\.now|Math\.random|performance\.now|setTimeout|setInterval|randomUUID|randomBytes|randomInt|generateKeyPair)\(|new Date\(\)|\bprocess\.(?:env|argv|stdout|stderr)/;
    expect(linesThatMatch(pure, impure)).to.deep.equal([]);
  });

  it('read the environment and the command line at the edge only', () => {
    const inner = sourceFiles().filter((file) => !['app', 'ctl', 'commands'].includes(layerOf(file)));
    expect(linesThatMatch(inner, /\bprocess\.(?:env|argv)\b/)).to.deep.equal([]);
  });

  it('spell product names in the dialect only', () => {
    const files = globSync('{src,commands}/**/*.{ts,json}', { cwd: root }).filter(
      (file) => !file.startsWith('src/machinery/dialect'),
    );
    const strangers = files.flatMap((file) => {
      // The dialect's own name is a value of the option that chooses it.
      const text = textOf(file).replaceAll("'kubernetes'", '');
      const match = /kube|k8s/i.exec(text);
      return match === null
        ? []
        : [`${file}: ${text.slice(Math.max(0, match.index - 40), match.index + 40)}`];
    });
    expect(strangers).to.deep.equal([]);
  });

  it('make no generator functions for a request', () => {
    // V8 gives each a hidden class, which is old from the start: whatever the function sees lives until the next full collection.
    const madeOnce = ['src/registry/build-stores.ts', 'src/registry/write/body.ts'];
    const files = sourceFiles().filter(
      (file) => /^src\/(?:registry|server)\//.test(file) && !madeOnce.includes(file),
    );
    expect(linesThatMatch(files, /^\s+.*function\*|^\s{4,}(?:async )?\*\w+\(/)).to.deep.equal([]);
  });

  it('use named exports but for command classes', () => {
    const files = sourceFiles().filter((file) => layerOf(file) !== 'commands');
    expect(linesThatMatch(files, /^export default /)).to.deep.equal([]);
  });
});
