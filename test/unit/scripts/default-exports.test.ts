import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { takeDefaultExports } from '../../../scripts/default-exports.ts';
import { failureOf } from '../../support/failure.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

/** What the bundler writes for `import width from NAME`. */
const codeFor = (name: string): string =>
  `let width = require(${JSON.stringify(name)});\nwidth = require_index.__toESM(width, 1);\nwidth.default("a");`;

describe('takeDefaultExports', () => {
  it('has code take the own default of a package that has one, and the whole of another', async () => {
    for (const name of ['string-width', 'node:http']) {
      const code = codeFor(name);
      expect(await takeDefaultExports('a.cjs', code)).to.equal(code.replace(', 1)', ')'));
    }
  });

  it('leaves packages that are loaded later as they are', async () => {
    const later = 'await Promise.resolve().then(() => /* @__PURE__ */ __toESM(require("chalk"), 1));';
    expect(await takeDefaultExports('a.cjs', later)).to.equal(later);
  });

  const unknown = 'bundle: a.cjs asks for exports of another package in a way that is not known';
  const lost = 'bundle: a.cjs would not get the default export of string-width';
  for (const [what, code, message] of [
    ['a question of another form', 'let a = __toESM(require("chalk"), 1);', unknown],
    ['a question under another name', codeFor('string-width').replace('__toESM', '__toModule'), lost],
    ['a default that nobody asks for', 'let w = require("string-width");\nw.default("a");', lost],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect(await failureOf(takeDefaultExports('a.cjs', code))).to.have.property('message', message);
    });
  }

  it('refuses packages whose default differs between sources and bundle', async () => {
    await using folder = await makeTemporaryDirectory();
    const name = join(folder.path, 'other.cjs');
    await writeFile(name, 'exports.__esModule = true; exports.default = 1;');
    const code = codeFor('node:http').replace('"node:http"', JSON.stringify(name));
    expect(await failureOf(takeDefaultExports('a.cjs', code))).to.have.property(
      'message',
      `bundle: a.cjs would not get the default export of ${name}`,
    );
  });
});
