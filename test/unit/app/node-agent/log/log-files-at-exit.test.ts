import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { makeTemporaryDirectory } from '../../../../support/temporary-directory.ts';

const project = join(import.meta.dirname, '../../../../..');
const urlOf = (file: string): string => pathToFileURL(join(project, file)).href;

/** A process that logs two lines and then comes to its end. */
function program(file: string, end: string): string {
  const options = {
    logFile: file,
    logDir: '',
    logFileMaxSizeMegabytes: 0,
    logFlushFrequencyMs: 3_600_000,
    oneOutput: false,
    skipLogHeaders: true,
  };
  return `
    import { openLogFiles } from '${urlOf('src/app/node-agent/log/log-files.ts')}';
    import { systemClock as clock } from '${urlOf('src/base/index.ts')}';
    const owner = { program: 'p', host: 'h', user: 'u', toStderr: () => {}, clock };
    const files = openLogFiles({ ...${JSON.stringify(options)}, ...owner });
    files.write(0, 'first\\n');
    files.write(0, 'second\\n');
    ${end}`;
}

describe('openLogFiles in a process that ends', () => {
  const ends: readonly (readonly [why: string, code: string, status: number])[] = [
    ['by itself', '', 0],
    ['by an exception that nobody caught', "setImmediate(() => { throw new Error('bug'); });", 1],
    ['by a rejection that nobody caught', "Promise.reject(new Error('bug'));", 1],
    ['at once', 'process.exit(143);', 143],
  ];
  for (const [why, code, status] of ends) {
    it(`has written all lines when it ends ${why}`, async () => {
      await using directory = await makeTemporaryDirectory();
      const file = join(directory.path, 'own.log');
      const child = spawnSync(process.execPath, ['--input-type=module', '-e', program(file, code)]);
      expect(child.status).to.equal(status);
      expect(await readFile(file, 'utf8')).to.equal('first\nsecond\n');
    });
  }
});
