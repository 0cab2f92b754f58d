import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { limitOpenFiles, runProgram } from '../../../../src/nodeagent/host/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

describe('limitOpenFiles', () => {
  const logger = createRecordingLogger();

  it('bounds the open files of a process', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      const pid = child.pid ?? 0;
      await limitOpenFiles({ limit: 777, pid, run: runProgram, logger });
      const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
      expect(limits).to.match(/Max open files\s+777\s+777\s/);
      let runs = 0;
      const run = () => Promise.resolve({ code: runs++, output: '' });
      await limitOpenFiles({ limit: 777, pid, run, logger });
      expect(runs).to.equal(0); // it has the bound already
    } finally {
      child.kill('SIGKILL');
    }
    expect(logger.lines).to.deep.equal([]);
  });

  it('goes on where that cannot be done', async () => {
    const run = () => Promise.resolve({ code: undefined, output: 'spawn prlimit ENOENT' });
    await limitOpenFiles({ limit: 778, pid: process.pid, run, logger });
    expect(logger.lines).to.have.length(1);
    expect(logger.lines[0]?.fields).to.include({ limit: 778, output: 'spawn prlimit ENOENT' });
  });
});
