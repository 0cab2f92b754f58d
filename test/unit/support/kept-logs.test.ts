import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findSecrets } from '../../support/kept-logs.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

const support = new URL('../../support/', import.meta.url).href;
const mocha = fileURLToPath(new URL('../../../node_modules/mocha/bin/mocha.js', import.meta.url));

describe('findSecrets', () => {
  it('finds secrets as they are and as JSON writes them, with their lines', () => {
    const log = 'one\ntwo {"a":"quo\\"ted"} three\nfour token-of-alice\n';
    expect(findSecrets(log, ['quo"ted', 'token-of-alice', 'another'])).to.deep.equal([
      { secret: 'quo"ted', line: 'two {"a":"quo\\"ted"} three\nfour token-of-alice\n' },
      { secret: 'token-of-alice', line: 'four token-of-alice\n' },
    ]);
  });
});

describe('a run of tests', () => {
  /** Exit code and output of a run whose only test logs something with a secret in it, or beside it. */
  async function runWith(logged: string): Promise<{ readonly code: number; readonly output: string }> {
    await using folder = await makeTemporaryDirectory();
    const file = join(folder.path, 'one.test.mjs');
    await writeFile(
      file,
      `import { keptLogger, registerSecretsOf } from '${support}kept-logs.ts';
      it('passes', () => {
        registerSecretsOf({ kind: 'TokenRequest', status: { token: 'eyJ.secret.token' } });
        registerSecretsOf({ kind: 'Secret', data: { password: 'Y29ycmVjdCBob3JzZSBiYXR0ZXJ5' } });
        ${logged}
      });`,
    );
    const { ORCH_TEST_LOGS: _, ...env } = process.env;
    const args = [mocha, '--no-config', '--require', fileURLToPath(`${support}secrets-stay-secret.ts`), file];
    return await new Promise((resolve) => {
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      );
    });
  }

  it('passes where no secret is logged, also where fields of their names are', async () => {
    const { code, output } = await runWith("keptLogger().debug('used', { token: 'eyJ.secret.token' });");
    expect(output).to.include('1 passing').and.to.include('no secret is logged: 3 looked for');
    expect(code).to.equal(0);
  });

  it('fails where one is, though its tests passed', async () => {
    for (const logged of [
      "keptLogger().debug('used', { header: 'Bearer eyJ.secret.token' });",
      "keptLogger().error('failed', { error: new Error('no correct horse battery') });",
      "keptLogger().child({ body: { value: 'Y29ycmVjdCBob3JzZSBiYXR0ZXJ5' } }).info('written');",
    ]) {
      const { code, output } = await runWith(logged);
      expect(output, logged).to.include('1 passing').and.to.include('secrets were logged');
      expect(code, logged).to.not.equal(0);
    }
  });
});
