import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { leastOomScore } from '../../../../src/nodeagent/legacyrt/legacyrt-runtime.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('leastOomScore', () => {
  async function leastWith(capabilities: string, score: string): Promise<number> {
    await using folder = await makeTemporaryDirectory();
    await mkdir(join(folder.path, 'self'));
    await writeFile(join(folder.path, 'self', 'status'), `Name:\tx\nCapEff:\t${capabilities}\n`);
    await writeFile(join(folder.path, 'self', 'oom_score_adj'), `${score}\n`);
    return leastOomScore(folder.path);
  }

  it('is the least of all where the process may lower scores', async () => {
    expect(await leastWith('000001ffffffffff', '-5')).to.equal(-1000);
  });

  it('is that of the process where it may not', async () => {
    expect(await leastWith('000001fffeffffff', '-5')).to.equal(-5);
  });

  it('is the least of all where nothing is known', () => {
    expect(leastOomScore('/no/such/folder')).to.equal(-1000);
  });
});
