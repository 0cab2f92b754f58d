import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../../support/temporary-directory.ts';
import { bad, good, linesOf, logAll, logged } from './logged.ts';

describe('openAgentLog', () => {
  let directory: TemporaryDirectory;
  let file: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    file = join(directory.path, 'own.log');
  });
  afterEach(() => directory.remove());

  const toFile = (): string[] => ['--logtostderr=false', `--log-file=${file}`, '--skip-log-headers'];
  /** Logs one line of each level; gives what came out. */
  async function log(...flags: string[]) {
    const stderr = await logged(flags, logAll);
    return { stderr, file: linesOf(await readFile(file, 'utf8').catch(() => '')) };
  }

  it('writes to standard error by default', async () => {
    expect(await log(`--log-file=${file}`)).to.deep.equal({ stderr: [bad, good], file: [] });
  });

  it('writes to a file, and errors to both', async () => {
    expect(await log(...toFile())).to.deep.equal({ stderr: [bad], file: [bad, good] });
    expect((await stat(file)).mode & 0o777).to.equal(0o640);
  });

  const thresholds: readonly (readonly [flag: string, stderr: string[]])[] = [
    ['--stderrthreshold=0', [bad, good]],
    ['--stderrthreshold=3', []],
    ['--alsologtostderr', [bad, good]],
  ];
  for (const [flag, stderr] of thresholds) {
    it(`writes ${stderr.length} lines to standard error beside a file with ${flag}`, async () => {
      expect((await log(...toFile(), flag)).stderr).to.deep.equal(stderr);
    });
  }

  it('says more with a higher level, which can be changed', async () => {
    expect((await log('--v=3')).stderr).to.include('T debug more');
    const stderr = await logged([], (logger, { setVerbosity }) => {
      const child = logger.child({ part: 'p' });
      child.debug('before');
      setVerbosity(3);
      child.debug('after');
    });
    expect(stderr).to.deep.equal(['T debug after part=p']);
  });

  it('leaves out headers when it is told to', async () => {
    expect((await log('--skip-headers')).stderr).to.deep.equal(['bad', 'good']);
    expect((await log('--skip-headers', '--add-dir-header')).stderr).to.deep.equal(['bad', 'good']);
    expect(await log(...toFile(), '--skip-headers')).to.deep.equal({
      stderr: ['bad'],
      file: ['bad', 'good'],
    });
  });

  it('writes JSON to standard error, whatever is said of files and sources', async () => {
    const flags = [
      '--logging-format=json',
      '--skip-headers',
      '--add-dir-header',
      '--log-backtrace-at=a.ts:1',
    ];
    const { stderr, file: written } = await log(...toFile(), ...flags);
    expect(stderr.map((line) => JSON.parse(line).message)).to.deep.equal(['bad', 'good']);
    expect(written).to.deep.equal([]);
  });
});
