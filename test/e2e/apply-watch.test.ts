import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from '../integration/ctl/support/ctl-server.ts';

const program = join(import.meta.dirname, '../../bin/ctl');

describe('apply --watch of the built program', function () {
  this.timeout(60_000);
  let server: CtlServer;
  before(async () => {
    server = await startCtlServer(['--controllers=none']);
  });
  after(() => server.stop());

  it('goes on until an interrupt, which ends it with code 0', async () => {
    const file = join(server.folder, 'map.yaml');
    const write = (step: number) =>
      writeFileSync(file, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {step: "${step}"}\n`);
    write(1);
    const env = { ...process.env, HOME: server.folder, ORCHCONFIG: join(server.folder, 'config') };
    const child = spawn(program, ['apply', '--watch', '-f', file], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let shown = '';
      for await (const text of child.stdout.setEncoding('utf8')) {
        shown += text;
        if (shown.endsWith(' 1 created\n')) write(2);
        if (shown.endsWith(' 1 configured\n')) break;
      }
      child.kill('SIGINT');
      const [code, signal] = await once(child, 'exit');
      expect({ code, signal }).to.deep.equal({ code: 0, signal: null });
    } finally {
      child.kill('SIGKILL');
    }
  });
});
