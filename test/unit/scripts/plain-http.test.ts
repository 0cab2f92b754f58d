import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'rolldown';
import { plainHttp } from '../../../scripts/plain-http.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

const run = promisify(execFile);
const source = `
  import { createServer, METHODS } from 'node:http';
  console.log(typeof createServer, METHODS.includes('GET'), process.moduleLoadList.some((name) => name.endsWith('undici')));
`;

describe('plain HTTP', () => {
  it('has the usual exports, and no client of the web beside them', async () => {
    await using folder = await makeTemporaryDirectory();
    const [input, file] = [join(folder.path, 'a.mjs'), join(folder.path, 'b.mjs')];
    await writeFile(input, source);
    // The runtime gives more than is needed to whoever asks it directly.
    expect((await run(process.execPath, [input])).stdout).to.equal('function true true\n');
    await build({ input, platform: 'node', plugins: [plainHttp], output: { file }, logLevel: 'warn' });
    expect((await run(process.execPath, [file])).stdout).to.equal('function true false\n');
  });
});
