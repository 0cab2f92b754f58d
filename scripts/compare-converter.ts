/**
 * Compares the recorded answers of the release's converter of manifests with those of the program itself, or records them
 * anew: `node scripts/compare-converter.ts PROGRAM [--record]`. No package has the program; it is `cmd/kubectl-convert` of
 * the release's sources. `test/unit/ctl/convert/reference.test.ts` holds `ctl convert` to what is recorded.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import {
  type ConverterAnswer,
  type ConverterCase,
  converterCaseFiles,
  readConverterCases,
  spellAll,
  unspellAll,
} from '../test/support/converter-cases.ts';
import { runReleaseClient } from '../test/support/release-client.ts';
import { makeTemporaryDirectory } from '../test/support/temporary-directory.ts';

const { values, positionals } = parseArgs({
  options: { record: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [program] = positionals;
if (program === undefined) throw new Error('usage: node scripts/compare-converter.ts PROGRAM [--record]');
await using directory = await makeTemporaryDirectory();
const manifest = join(directory.path, 'manifest.json');

async function ask(path: string, { document, version }: ConverterCase): Promise<ConverterAnswer> {
  await writeFile(manifest, JSON.stringify(spellAll(document)));
  const target = version === undefined ? [] : [`--output-version=${spellAll(version)}`];
  const args = ['--local=true', '-f', manifest, '-o', 'json', ...target];
  const { code, stdout, stderr } = await runReleaseClient(path, args);
  if (code === 0) return { object: unspellAll(JSON.parse(stdout)) };
  const [reason = ''] = stderr.split('\n');
  return { error: unspellAll(reason.replaceAll(manifest, 'manifest.json')) };
}

/** As it is released, the program does not know some groups that it has the conversions of. */
function isOfUnknownGroup(answer: ConverterAnswer | undefined): boolean {
  if (answer === undefined || !('error' in answer) || !/no kind|not suitable/.test(answer.error))
    return false;
  return /(networking|node|discovery|flowcontrol|admissionregistration)\S*orch/.test(answer.error);
}

let differences = 0;
for (const name of converterCaseFiles) {
  const { cases, answersFile } = await readConverterCases(name);
  const answers: ConverterAnswer[] = [];
  for (const one of cases) answers.push(await ask(program, one));
  if (values.record) {
    await writeFile(answersFile, `[\n${answers.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
    continue;
  }
  for (const [index, { name: what, recorded }] of cases.entries()) {
    if (isOfUnknownGroup(answers[index]) || isDeepStrictEqual(answers[index], recorded)) continue;
    differences++;
    console.error(
      `${name}: ${what}: recorded ${JSON.stringify(recorded)}, now ${JSON.stringify(answers[index])}`,
    );
  }
}
console.log(values.record ? 'recorded' : `${differences} differences in ${converterCaseFiles.length} files`);
process.exitCode = differences === 0 ? 0 : 1;
