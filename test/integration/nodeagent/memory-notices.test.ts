import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { MemoryNotices } from '../../../src/nodeagent/eviction/memory-notices.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingLogger, type RecordingLogger } from '../../support/recording-logger.ts';

const mebi = 1024 * 1024;
const mount = '/sys/fs/cgroup';
const isUnified = existsSync(`${mount}/cgroup.controllers`);
/** Waits for a line, then holds that many bytes until its input ends. */
const holder =
  'process.stdin.once("data", (text) => { globalThis.held = Buffer.alloc(Number(text), 1); console.log("held"); });';

describe('MemoryNotices', () => {
  const group = `/orch-notices-${process.pid}`;
  const folder = join(mount, isUnified ? '' : 'memory', group);
  let logger: RecordingLogger;
  let count = 0;
  let notices: MemoryNotices;

  beforeEach(async () => {
    await mkdir(folder, { recursive: true });
    count = 0;
    logger = createRecordingLogger();
    notices = new MemoryNotices({ root: '/', onNotice: () => void count++, logger });
  });
  afterEach(async () => {
    notices[Symbol.dispose]();
    await eventually(async () => rmdir(folder).then(() => true));
  });

  /** A process in the group that takes so much memory when it is told to. */
  async function startHolder() {
    const child = spawn(process.execPath, ['-e', holder], { stdio: ['pipe', 'pipe', 'inherit'] });
    await writeFile(join(folder, 'cgroup.procs'), String(child.pid));
    return {
      take: async (bytes: number) => {
        child.stdin.write(`${bytes}\n`);
        await once(child.stdout, 'data');
      },
      end: async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    };
  }

  it('come when memory of a group crosses a mark, or meets its limit', async () => {
    if (isUnified) await writeFile(join(folder, 'memory.high'), String(60 * mebi));
    await notices.watch(group, [900 * mebi]);
    await notices.watch(group, [100 * mebi]);
    expect(count).to.equal(0);
    // The kernel tells of marks from when a process of its own has taken them up, which nobody is told.
    await eventually(async () => {
      const process = await startHolder();
      try {
        await process.take(200 * mebi);
      } finally {
        await process.end();
      }
      return count > 0 || undefined;
    });
    expect(logger.lines).to.deep.equal([]);
  });

  it('do not come for groups that are not there', async () => {
    await notices.watch('/orch-notices-nowhere', [mebi]);
    expect(logger.lines).to.deep.equal([]);
  });

  it('leave nothing behind', async function () {
    if (isUnified) this.skip();
    await notices.watch(group, [mebi]);
    const helpers = async (): Promise<readonly string[]> => {
      const text = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
      return text.split(' ').filter((id) => id !== '');
    };
    const [first] = await helpers();
    expect(first).to.be.a('string');
    notices[Symbol.dispose]();
    await eventually(async () => ((await helpers()).includes(first ?? '') ? undefined : true));
  });
});
