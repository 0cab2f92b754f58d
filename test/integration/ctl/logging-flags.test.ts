import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const request = /GET https:\S+\/api\/v1\/namespaces\/default 200 OK in \d+ milliseconds\n/;

describe('flags about what ctl says of itself', () => {
  let site: CtlServer;
  before(async () => {
    site = await startCtlServer(['--controllers=none']);
  });
  after(() => site.stop());

  const get = (...flags: string[]) => site.ctl(['get', 'ns', 'default', '-o', 'name', ...flags]);

  it('write the lines of -v to stderr, with or without time and process', async () => {
    expect((await get('-v', '6')).err)
      .to.match(/^I\d{4} [\d:.]+ +\d+\] GET /)
      .and.match(request);
    expect((await get('-v', '6', '--skip-headers')).err).to.match(/^GET /);
    expect((await get('--vmodule=round_*=6')).err).to.match(request);
    expect((await get('--vmodule=other=9')).err).to.equal('');
  });

  it('write them to a file, and to both', async () => {
    const file = join(site.folder, 'log');
    const toFile = ['--logtostderr=false', `--log-file=${file}`, '-v=6'];
    expect((await get(...toFile)).err).to.equal('');
    expect((await get(...toFile, '--alsologtostderr')).err).to.match(request);
    expect((await get(...toFile, '--stderrthreshold=0')).err).to.match(request);
    expect(readFileSync(file, 'utf8').match(/\n/g)).to.have.length(3);
    await get('--logtostderr=false', `--log-dir=${site.folder}`, '-v=6');
    const own = readdirSync(site.folder).filter((name) =>
      /^ctl\..*\.log\.INFO\.\d{8}-\d{6}\.\d+$/.test(name),
    );
    expect(own).to.have.length(1);
    expect((await get('--logtostderr=false', '--log-file=/nowhere/a', '-v=6')).err).to.equal(
      'error: unable to write the log: open /nowhere/a: no such file or directory\n',
    );
  });

  it('refuse what makes no sense, and warn of what has no effect', async () => {
    expect((await get('--vmodule=x')).err).to.match(
      /^Error: --vmodule: expect comma-separated list of filename=N\n/,
    );
    expect((await get('--log-backtrace-at=x')).err).to.match(
      /^Error: --log-backtrace-at: expect file\.go:234\n/,
    );
    expect((await get('--log-backtrace-at=a.go:1')).err).to.equal(
      'Warning: --log-backtrace-at has no effect\n',
    );
  });

  it('write a profile of the run', async () => {
    for (const kind of ['cpu', 'heap']) {
      const file = join(site.folder, kind);
      expect(await get(`--profile=${kind}`, `--profile-output=${file}`)).to.include({ code: 0, err: '' });
      expect(JSON.parse(readFileSync(file, 'utf8'))).to.have.any.keys('nodes', 'head');
    }
    expect((await get('--profile=zap')).code).to.equal(1);
  });

  it('compare the versions of client and server', async () => {
    expect(await get('--match-server-version')).to.include({ code: 0, err: '' });
  });

  it('spell the configuration as either dialect, before and after the command', async () => {
    const missing = /nowhere/;
    expect((await site.ctl(['--kubeconfig=/nowhere', 'get', 'ns'])).err).to.match(missing);
    expect((await site.ctl(['get', 'ns', '--kubeconfig=/nowhere'])).err).to.match(missing);
  });
});
