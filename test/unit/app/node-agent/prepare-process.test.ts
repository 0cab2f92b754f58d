import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { MachineError, prepareProcess } from '../../../../src/app/node-agent/prepare-process.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('prepareProcess', () => {
  const header = 'Filename Type Size Used Priority\n';
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    await mkdir(join(directory.path, 'self'));
    await writeFile(join(directory.path, 'swaps'), header);
  });
  afterEach(() => directory.remove());
  const logger = createRecordingLogger();

  it('sets how likely the process is to be killed when memory runs short', async () => {
    prepareProcess({ failSwapOn: true, oomScoreAdj: -998 }, logger, directory.path);
    expect(await readFile(join(directory.path, 'self/oom_score_adj'), 'utf8')).to.equal('-998');
  });

  it('refuses to run with swap, unless it is told to', async () => {
    await writeFile(join(directory.path, 'swaps'), `${header}/dev/sda2 partition 100 0 -2\n`);
    const prepare = (failSwapOn: boolean) => () =>
      prepareProcess({ failSwapOn, oomScoreAdj: 0 }, logger, directory.path);
    expect(prepare(true)).to.throw(MachineError, 'running with swap on is not supported');
    expect(prepare(false)).to.not.throw();
  });

  it('goes on where the score cannot be set', async () => {
    const own = createRecordingLogger();
    prepareProcess({ failSwapOn: true, oomScoreAdj: 0 }, own, join(directory.path, 'none'));
    expect(own.lines).to.have.length(1);
  });
});
