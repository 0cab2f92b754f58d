import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openAgentLog } from '../../../../src/app/node-agent/agent-log.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { agentConfig } from '../../nodeagent/agent-config.ts';

describe('openAgentLog', () => {
  let directory: TemporaryDirectory;
  let file: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    file = join(directory.path, 'own.log');
  });
  afterEach(() => directory.remove());

  /** Logs one line of each level; gives what came out, without times. */
  async function log(...flags: string[]): Promise<{ readonly stderr: string[]; readonly file: string[] }> {
    let stderr = '';
    using opened = openAgentLog(agentConfig(flags), 'nodeagent', (line) => {
      stderr += line;
    });
    opened.logger.error('bad');
    opened.logger.info('good');
    opened.logger.debug('more');
    const written = await readFile(file, 'utf8').catch(() => '');
    const linesOf = (text: string): string[] =>
      text.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^\d\d:\d\d:\d\d\.\d{3}/, 'T')]));
    return { stderr: linesOf(stderr), file: linesOf(written) };
  }
  const toFile = (): string[] => ['--logtostderr=false', `--log-file=${file}`];
  const [bad, good] = ['T error bad', 'T info good'];

  it('writes to standard error by default', async () => {
    expect(await log(`--log-file=${file}`)).to.deep.equal({ stderr: [bad, good], file: [] });
  });

  it('writes to a file, and errors to both', async () => {
    expect(await log(...toFile())).to.deep.equal({ stderr: [bad], file: [bad, good] });
    expect((await stat(file)).mode & 0o777).to.equal(0o640);
  });

  it('writes into a directory under its own name', async () => {
    file = join(directory.path, 'logs/nodeagent.log');
    const { file: lines } = await log('--logtostderr=false', `--log-dir=${join(directory.path, 'logs')}`);
    expect(lines).to.deep.equal([bad, good]);
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
    const lines: string[] = [];
    using opened = openAgentLog(agentConfig(), 'nodeagent', (line) => lines.push(line));
    const child = opened.logger.child({ part: 'p' });
    child.debug('before');
    opened.setVerbosity(3);
    child.debug('after');
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).to.deep.equal(['debug after part=p\n']);
  });

  it('leaves out headers when it is told to', async () => {
    expect((await log('--skip-headers')).stderr).to.deep.equal(['bad', 'good']);
    expect(await log(...toFile(), '--skip-headers')).to.deep.equal({
      stderr: ['bad'],
      file: ['bad', 'good'],
    });
  });

  it('writes JSON to standard error, whatever is said of files', async () => {
    const { stderr, file: written } = await log(...toFile(), '--logging-format=json', '--skip-headers');
    expect(stderr.map((line) => JSON.parse(line).message)).to.deep.equal(['bad', 'good']);
    expect(written).to.deep.equal([]);
  });

  it('begins the file anew at its size', async () => {
    const flags = [...toFile(), '--log-file-max-size=1'];
    using opened = openAgentLog(agentConfig(flags), 'nodeagent', () => {});
    const text = 'x'.repeat(700_000);
    opened.logger.info(`${text}1`);
    opened.logger.info(`${text}2`);
    const written = await readFile(file, 'utf8');
    expect(written).to.have.length.below(1024 * 1024);
    expect(written.endsWith('2\n')).to.equal(true);
  });
});
