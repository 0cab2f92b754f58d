import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Another package, and the variable for it. */
const required = /\b(\w+) = require\("(?!\.)([^"]+)"\)/g;
/** How the bundler asks for the default export of another package: as if no package had one of its own. */
const defaultOfCommonJs = /\b(\w+) = (?:\w+\.)?__toESM\(\1, 1\);/g;
/** How it asks for all exports of a package that is loaded later. */
const importedLater = /then\(\(\) => \/\* @__PURE__ \*\/ (?:\w+\.)?__toESM\(require\("[^"]+"\), 1\)\)/g;
const anyQuestion = /__toESM\(/g;

/**
 * Has the code of a file take the default exports of other packages as the sources mean them: that of a package that is no
 * CommonJS is its own, not all of its exports, which is what the flag 1 makes of them.
 *
 * @throws Error when the bundler asks in another way than those that are known here, or would get another export
 */
export async function takeDefaultExports(file: string, text: string): Promise<string> {
  const asked = new Set(Array.from(text.matchAll(defaultOfCommonJs), ([, variable]) => variable));
  const known = asked.size + [...text.matchAll(importedLater)].length;
  if ([...text.matchAll(anyQuestion)].length !== known)
    throw new Error(`bundle: ${file} asks for exports of another package in a way that is not known`);
  for (const [, variable = '', name = ''] of text.matchAll(required)) {
    if (!text.includes(`${variable}.default`)) continue;
    if (!asked.has(variable) || !(await isDefaultTaken(name)))
      throw new Error(`bundle: ${file} would not get the default export of ${name}`);
  }
  return text.replace(defaultOfCommonJs, (call) => call.replace(', 1);', ');'));
}

/** Whether a package gives the same default to the bundler's code, without the flag, and to sources. */
async function isDefaultTaken(name: string): Promise<boolean> {
  const found = require(name);
  const hasOwn = found?.__esModule === true && Object.hasOwn(found, 'default');
  const { default: imported } = await import(name);
  return imported === (hasOwn ? found.default : found);
}
