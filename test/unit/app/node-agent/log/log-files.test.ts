import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openAgentLog } from '../../../../../src/app/node-agent/log/open-agent-log.ts';
import type { Logger } from '../../../../../src/base/index.ts';
import { SimulatedTime } from '../../../../support/simulated-time.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../../support/temporary-directory.ts';
import { agentConfig } from '../../../nodeagent/agent-config.ts';
import { bad, good, linesOf, logAll, logged } from './logged.ts';

describe('openLogFiles', () => {
  let directory: TemporaryDirectory;
  let file: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    file = join(directory.path, 'own.log');
  });
  afterEach(() => directory.remove());

  const toFile = (): string[] => ['--logtostderr=false', `--log-file=${file}`, '--skip-log-headers'];
  const written = async (): Promise<string[]> => linesOf(await readFile(file, 'utf8').catch(() => ''));

  it('begins the file anew at its size', async () => {
    const flags = [...toFile(), '--log-file-max-size=1'];
    const text = 'x'.repeat(700_000);
    await logged(flags, (logger) => {
      logger.info(`${text}1`);
      logger.info(`${text}2`);
    });
    expect((await written()).map((line) => line.at(-1))).to.deep.equal(['2']);
  });

  it('begins each file with where it comes from', async () => {
    await logged(['--logtostderr=false', `--log-file=${file}`], logAll);
    const [created, machine, binary, format, ...lines] = await written();
    expect(created).to.match(/^Log file created at: \d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/);
    expect(machine).to.match(/^Running on machine: [^.]+$/);
    expect(binary).to.include(process.version);
    expect(format).to.match(/^Log line format: /);
    expect(lines).to.deep.equal([bad, good]);
  });

  describe('with files by severity', () => {
    const names = ['INFO', 'WARNING', 'ERROR'];
    const surroundings = { host: 'node1.example.com', user: 'dom\\me' };
    const flags = (...more: string[]): string[] => [
      '--logtostderr=false',
      `--log-dir=${join(directory.path, 'logs')}`,
      '--skip-log-headers',
      ...more,
    ];
    const read = async (name: string): Promise<string[]> =>
      linesOf(await readFile(join(directory.path, 'logs', `nodeagent.${name}`), 'utf8').catch(() => ''));
    const use = (logger: Logger): void => {
      logger.info('good');
      logger.error('bad');
    };

    it('names them as the reference does, with links to the newest', async () => {
      await logged(flags(), use, surroundings);
      const files = await readdir(join(directory.path, 'logs'));
      expect(files.filter((name) => !name.includes('.log.')).sort()).to.deep.equal(
        names.map((name) => `nodeagent.${name}`).sort(),
      );
      for (const name of names) {
        const target = await readlink(join(directory.path, 'logs', `nodeagent.${name}`));
        const pattern = `^nodeagent\\.node1\\.dom_me\\.log\\.${name}\\.\\d{8}-\\d{6}\\.${process.pid}$`;
        expect(target).to.match(new RegExp(pattern));
      }
    });

    it('writes an error to those of lower severities as well', async () => {
      await logged(flags(), use);
      expect(await Promise.all(names.map(read))).to.deep.equal([[good, bad], [bad], [bad]]);
    });

    it('writes a line once with --one-output', async () => {
      await logged(flags('--one-output'), use);
      expect(await Promise.all(names.map(read))).to.deep.equal([[good], [], [bad]]);
    });

    it('keeps a file that is full and begins another one', async () => {
      await logged(flags('--log-file-max-size=1'), (logger) => {
        for (const end of ['1', '2', '3']) logger.info(`${'x'.repeat(700_000)}${end}`);
      });
      const folder = join(directory.path, 'logs');
      const files = (await readdir(folder)).filter((name) => name.includes('.INFO.')).sort();
      const ends = await Promise.all(files.map(async (name) => (await readFile(join(folder, name))).at(-2)));
      expect(ends).to.deep.equal([...'123'].map((digit) => digit.charCodeAt(0)));
      expect(await readlink(join(folder, 'nodeagent.INFO'))).to.equal(files.at(-1));
    });
  });

  describe('writing behind the back', () => {
    it('lets a line wait as long as --log-flush-frequency, and no timer without one', async () => {
      const time = new SimulatedTime();
      const clock = time.clockOf('log');
      const config = agentConfig([...toFile(), '--log-flush-frequency=2s']);
      using opened = await openAgentLog(config, 'nodeagent', { clock });
      expect(time.pending('log')).to.equal(0);
      opened.logger.info('good');
      await time.pass(1900);
      expect(await written()).to.deep.equal([]);
      await time.pass(200);
      expect(await written()).to.deep.equal([good]);
      expect(time.pending('log')).to.equal(0);
    });

    it('writes at once with an error, and without a frequency', async () => {
      const clock = new SimulatedTime().clockOf('log');
      const toStderr = (): void => {};
      {
        using opened = await openAgentLog(agentConfig(toFile()), 'nodeagent', { clock, toStderr });
        opened.logger.info('good');
        opened.logger.error('bad');
        expect(await written()).to.deep.equal([good, bad]);
      }
      const config = agentConfig([...toFile(), '--log-flush-frequency=0s']);
      using opened = await openAgentLog(config, 'nodeagent', { clock, toStderr });
      opened.logger.info('good');
      expect(await written()).to.deep.equal([good, bad, good]);
    });

    it('writes the rest when it is closed', async () => {
      const clock = new SimulatedTime().clockOf('log');
      await logged(toFile(), (logger) => logger.info('good'), { clock });
      expect(await written()).to.deep.equal([good]);
    });

    it('says once that there is no room, and shows what is lost', async () => {
      const flags = ['--logtostderr=false', '--log-file=/dev/full', '--skip-log-headers'];
      const stderr = await logged([...flags, '--log-flush-frequency=0s'], (logger) => {
        logger.info('good');
        logger.info('good');
      });
      const reason = 'the log cannot be written: /dev/full write: no space left on device';
      expect(stderr).to.deep.equal([`${reason}; its lines follow here until it can`, good, good]);
    });
  });
});
