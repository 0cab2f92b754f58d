import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../../src/base/index.ts';
import { run } from './support/run.ts';

describe('the dialect of ctl', () => {
  let home: string;
  let server: Server;
  let url: string;
  let requests: string[];
  let gitVersion: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ctl-dialect-'));
    requests = [];
    gitVersion = 'v1.20.2';
    server = createServer(({ url: path = '' }, response) => {
      requests.push(path);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(path === '/version' ? { gitVersion } : { kind: 'Status', code: 200 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(home, { recursive: true });
  });

  const config = (): string =>
    JSON.stringify({
      clusters: [{ name: 'a', cluster: { server: url } }],
      contexts: [{ name: 'a', context: { cluster: 'a' } }],
      'current-context': 'a',
    });
  const putConfig = async (folder: string): Promise<string> => {
    await mkdir(join(home, folder), { recursive: true });
    await writeFile(join(home, folder, 'config'), config());
    return join(home, folder, 'config');
  };
  const ctl = (argv: readonly string[], setting: Parameters<typeof run>[1] = {}) =>
    run(argv, { home, ...setting, env: { ORCH_DIALECT: undefined, ...setting.env } });
  it('is that of the server, which is asked once in ten minutes where any server may have the address', async () => {
    let elapsedMs = 0;
    const clock = { ...systemClock, nowMs: () => Date.now() + elapsedMs };
    const asked = () => requests.filter((path) => path === '/version').length;
    // The command itself asks for the version, too.
    const version = () => ctl(['version', '--short', '-s', url], { clock });
    expect((await version()).out).to.include('Client Version: v1.20.2\n');
    expect(asked()).to.equal(2);
    await version();
    expect(asked()).to.equal(3);
    gitVersion = 'v1.20.2+orch.0.1.0';
    elapsedMs = 10 * 60 * 1000;
    expect((await version()).out).to.match(/Client Version: v1\.20\.2\+orch\./);
    expect(asked()).to.equal(5);
  });

  it('is not asked for when it was given, or when the command has to do with no server', async () => {
    await ctl(['version', '--short', '-s', url, '--dialect=kubernetes']);
    await ctl(['version', '--short', '-s', url], { env: { ORCH_DIALECT: 'orch' } });
    expect(requests).to.deep.equal(['/version', '/version']);
    await ctl(['version', '--client', '-s', url]);
    await ctl(['config', 'view', '-s', url]);
    expect(requests).to.have.length(2);
  });

  it('is that of the product whose configuration there is, when the server does not say', async () => {
    gitVersion = '';
    const env = { KUBECONFIG: await putConfig('elsewhere') };
    expect((await ctl(['version', '--short'], { env })).out).to.include('Client Version: v1.20.2\n');
    await putConfig('.orch');
    expect((await ctl(['version', '--short'], { env })).out).to.match(/Client Version: v1\.20\.2\+orch\./);
  });

  it('comes with a word on a terminal when the configuration is the other product’s', async () => {
    const file = await putConfig('.kube');
    const own = join(home, '.orch/config');
    const said = (await ctl(['version', '--short'], { isTerminal: true })).err;
    expect(said).to.equal(`Using ${own}, ${file}: there is no ~/.orch/config\n`);
    expect((await ctl(['version', '--short'])).err).to.equal('');
  });
});
