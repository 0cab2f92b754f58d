import { expect } from 'chai';
import { sourceFiles, textOf } from './source-files.ts';

const exported = /^export (?:abstract |async )?(?:interface|type|class|function\*?|const) (\w+)/;

/** Exported names of a file without a doc comment on the lines before them, as `file:line name`. */
function undocumentedExports(file: string): string[] {
  const lines = textOf(file).split('\n');
  return lines.flatMap((line, index) => {
    const name = exported.exec(line)?.[1];
    if (name === undefined || isEndOfDocComment(lines, index - 1)) return [];
    // Further signatures of an overloaded function share the comment of the first one.
    if (line.startsWith(`export function ${name}`) && lines[index - 1]?.startsWith(`export function ${name}`))
      return [];
    return [`${file}:${index + 1} ${name}`];
  });
}

/** Whether the line closes a comment that began with two asterisks. */
function isEndOfDocComment(lines: readonly string[], end: number): boolean {
  if (lines[end]?.trimEnd().endsWith('*/') !== true) return false;
  const start = lines.findLastIndex((line, index) => index <= end && line.trimStart().startsWith('/*'));
  return lines[start]?.trimStart().startsWith('/**') === true;
}

describe('the exports', () => {
  for (const folder of ['src/net', 'src/nodeagent', 'src/registry', 'src/server']) {
    it(`of ${folder} have a doc comment each`, () => {
      const files = sourceFiles().filter((file) => file.startsWith(`${folder}/`));
      expect(files).to.not.be.empty;
      expect(files.flatMap(undocumentedExports)).to.deep.equal([]);
    });
  }
});
