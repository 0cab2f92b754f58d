import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import {
  type ConverterAnswer,
  type ConverterCase,
  converterCaseFiles,
  readConverterCases,
  spellAll,
  unspellAll,
} from '../support/converter-cases.ts';
import { findReleaseConverter, runReleaseClient } from '../support/release-client.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

/**
 * The unit test of `ctl convert` compares with recorded answers everywhere; here they are compared with what the
 * program answers, or recorded anew with RECORD_ANSWERS=1.
 */
describe("the release's own converter", function () {
  this.timeout(60_000);
  let path: string;
  let commandArgs: readonly string[];
  let directory: TemporaryDirectory | undefined;
  before(async function () {
    const found = await findReleaseConverter();
    if ('missing' in found) {
      console.error(`      skipped: ${found.missing}`);
      this.skip();
    }
    path = found.path;
    commandArgs = found.args;
    directory = await makeTemporaryDirectory();
  });
  after(() => directory?.remove());

  const answer = async ({ document, version }: ConverterCase): Promise<ConverterAnswer> => {
    const file = join(directory?.path ?? '', 'manifest.json');
    await writeFile(file, JSON.stringify(spellAll(document)));
    const target = version === undefined ? [] : [`--output-version=${spellAll(version)}`];
    const { code, stdout, stderr } = await runReleaseClient(path, [
      ...[...commandArgs, '--local=true', '-f', file, '-o', 'json'],
      ...target,
    ]);
    if (code === 0) return { object: unspellAll(JSON.parse(stdout)) };
    const [reason = ''] = stderr.split('\n');
    return { error: unspellAll(reason.replaceAll(file, 'manifest.json')) };
  };

  for (const name of converterCaseFiles) {
    it(`answers what is recorded to ${name}`, async () => {
      const { cases, answersFile } = await readConverterCases(name);
      const answers: ConverterAnswer[] = [];
      for (const one of cases) answers.push(await answer(one));
      if (process.env.RECORD_ANSWERS !== undefined) {
        const lines = answers.map((each) => JSON.stringify(each));
        await writeFile(answersFile, `[\n${lines.join(',\n')}\n]\n`);
        return;
      }
      for (const [index, { name: what, recorded }] of cases.entries()) {
        const given = answers[index];
        // As it is released, it does not know some groups that it has the conversions of.
        const isUnknown = given !== undefined && 'error' in given && /no kind|not suitable/.test(given.error);
        if (
          isUnknown &&
          /(networking|node|discovery|flowcontrol|admissionregistration)\S*orch/.test(given.error)
        )
          continue;
        expect(given, what).to.deep.equal(recorded);
      }
    });
  }
});
