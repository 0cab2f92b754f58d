import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EtcdCluster, startEtcd } from '../support/etcd-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const program = join(import.meta.dirname, '../../bin/orch');
/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:1';

describe('the built program, when no etcd member answers', function () {
  this.timeout(90_000);
  let directory: TemporaryDirectory;
  let etcd: EtcdCluster;
  before(async () => {
    directory = await makeTemporaryDirectory();
    etcd = await startEtcd();
  });
  after(async () => {
    await etcd?.[Symbol.asyncDispose]();
    await directory?.remove();
  });

  /** Runs a command to its end. */
  async function run(args: readonly string[]) {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
    const startedAtMs = performance.now();
    await once(child, 'close');
    return { code: child.exitCode, text, tookMs: performance.now() - startedAtMs };
  }

  it('tries for five seconds, says where nobody answers, and ends with code 1', async () => {
    const file = join(directory.path, 'backup.db');
    const untrusted = etcd.members[0]?.endpoint.replace('http:', 'https:') ?? '';
    const cases: readonly [endpoint: string, args: readonly string[]][] = [
      [
        nowhere,
        ['serve', `--storage=etcd:${nowhere}`, `--data-dir=${directory.path}/data`, '--secure-port=0'],
      ],
      [nowhere, ['storage', 'stats', `--storage=etcd:${nowhere}`]],
      [nowhere, ['storage', 'check', `--storage=etcd:${nowhere}`]],
      [nowhere, ['storage', 'compact', `--storage=etcd:${nowhere}`]],
      [nowhere, ['backup', file, `--storage=etcd:${nowhere}`]],
      [nowhere, ['storage', 'migrate', `--from=etcd:${nowhere}`, `--to=sqlite:${directory.path}/copy.db`]],
      [untrusted, ['storage', 'stats', `--storage=etcd:${untrusted}`]],
    ];
    const ends = await Promise.all(
      cases.map(async ([endpoint, args]) => ({ endpoint, args, ...(await run(args)) })),
    );
    for (const { endpoint, args, code, text, tookMs } of ends) {
      const what = `${args.join(' ')}\n${text}`;
      expect(text, what).to.include(`no etcd member answers at ${endpoint}`);
      expect(text, what).not.to.include('unsettled');
      expect(code, what).to.equal(1);
      expect(tookMs, what).to.be.greaterThan(3000);
    }
  });
});
