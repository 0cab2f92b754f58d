import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { createTypeFinder } from '../../../../src/ctl/changes/built-in-type.ts';
import { CtlError } from '../../../../src/ctl/errors.ts';
import { buildKustomization } from '../../../../src/ctl/kustomize/build.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

interface Case {
  readonly files: Readonly<Record<string, string | { readonly base64: string }>>;
  /** Whether the folder `base`, shared by many cases, is there. */
  readonly base?: boolean;
  /** Which folder is built; the outermost when it is left out. */
  readonly folder?: string;
  readonly objects?: string;
  /** Part of the message. */
  readonly refused?: string;
  readonly warning?: string;
}

interface Cases {
  readonly base: Readonly<Record<string, string>>;
  readonly cases: Readonly<Record<string, Case>>;
}

// What kustomize 2.0, which is in the client of release 1.20, makes of these folders.
const { base, cases } = load(readFileSync(new URL('kustomize-cases.yaml', import.meta.url), 'utf8')) as Cases; // a file of the project's own

const findType = createTypeFinder(orchDialect);

async function build({ files, base: hasBase, folder = '.' }: Case) {
  await using directory = await makeTemporaryDirectory();
  for (const [name, content] of Object.entries({ ...(hasBase && base), ...files })) {
    const path = join(directory.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  }
  return await buildKustomization(join(directory.path, folder), {
    dialect: orchDialect,
    env: { FROM_OUTSIDE: 'outside' },
    findType,
  });
}

describe('kustomizations', () => {
  for (const [name, example] of Object.entries(cases)) {
    it(example.refused === undefined ? `makes objects: ${name}` : `refuses: ${name}`, async () => {
      if (example.refused === undefined) {
        const { text, warnings } = await build(example);
        expect(text).to.equal(example.objects);
        expect(warnings).to.deep.equal(example.warning === undefined ? [] : [example.warning]);
        return;
      }
      const error = await build(example).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(CtlError);
      expect(error).to.have.property('message').that.includes(example.refused);
    });
  }

  it('make the same objects each time, in the same order', async () => {
    const example = cases['access rules and what else names objects'];
    if (example === undefined) throw new Error('the case is missing');
    expect(await build(example)).to.deep.equal(await build(example));
  });
});
