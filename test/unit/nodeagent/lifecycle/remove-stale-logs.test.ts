import { lutimes, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { removeStaleLogs } from '../../../../src/nodeagent/lifecycle/remove-stale-logs.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const nowMs = Date.parse('2030-01-01T00:00:00Z');
const minuteMs = 60_000;

describe('removeStaleLogs', () => {
  let folder: TemporaryDirectory;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => folder.remove());

  const roots = () => ({ pods: join(folder.path, 'pods'), containers: join(folder.path, 'containers') });
  const log = (pod: string, file = '0.log'): string => join(roots().pods, pod, 'c', file);

  async function age(path: string, minutes: number): Promise<void> {
    const at = new Date(nowMs - minutes * minuteMs);
    await lutimes(path, at, at);
  }

  /** A folder of a pod with one log, all of it as old as is said but for what is written later. */
  async function addLog(path: string, minutes: number): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'said\n');
    for (const each of [path, dirname(path), dirname(dirname(path))]) await age(each, minutes);
  }

  async function addLink(name: string, target: string, minutes: number): Promise<void> {
    await mkdir(roots().containers, { recursive: true });
    await symlink(target, join(roots().containers, name));
    await age(join(roots().containers, name), minutes);
  }

  async function remove(known: readonly string[] = []) {
    const logger = createRecordingLogger();
    await removeStaleLogs({ roots: roots(), isKnown: (uid) => known.includes(uid), nowMs, logger });
    expect(logger.lines).to.deep.equal([]);
    const names = (path: string) => readdir(path).catch(() => []);
    return { pods: await names(roots().pods), containers: await names(roots().containers) };
  }

  it('removes folders of unknown pods, and the links into them at the same time', async () => {
    for (const pod of ['shop_web_gone', 'shop_web_known']) {
      await addLog(log(pod), 10);
      await addLink(`${pod}.log`, log(pod), 10);
    }
    expect(await remove(['known'])).to.deep.equal({
      pods: ['shop_web_known'],
      containers: ['shop_web_known.log'],
    });
  });

  it('leaves a folder in which something was written a moment ago', async () => {
    await addLog(log('shop_web_other'), 10);
    await age(log('shop_web_other'), 4);
    expect((await remove()).pods).to.deep.equal(['shop_web_other']);
  });

  it('leaves what is not a folder of a pod', async () => {
    await addLog(log('audit'), 10);
    await addLog(log('shop_web'), 10);
    await writeFile(join(roots().pods, 'a_b_c'), '');
    await utimes(join(roots().pods, 'a_b_c'), 0, 0);
    expect((await remove()).pods).to.have.members(['audit', 'shop_web', 'a_b_c']);
  });

  it('removes dead links of known pods too', async () => {
    await addLog(log('shop_web_known', '1.log'), 10);
    await addLink('old.log', log('shop_web_known', '0.log'), 10);
    await addLink('new.log', log('shop_web_known', '1.log'), 10);
    expect((await remove(['known'])).containers).to.deep.equal(['new.log']);
  });

  it('leaves a link whose log is only begun, or is put aside for a new one', async () => {
    await addLog(log('shop_web_known', '0.log.20300101-000000'), 10);
    await addLink('rotated.log', log('shop_web_known', '0.log'), 10);
    await addLink('begun.log', log('shop_web_known', '1.log'), 0);
    expect((await remove(['known'])).containers).to.have.members(['rotated.log', 'begun.log']);
  });

  it('leaves links of others, and what is no link', async () => {
    await addLink('elsewhere.log', '/nowhere/at/all.log', 10);
    await addLink('above.log', join(roots().pods, '..', 'gone.log'), 10);
    await addLink('no-log', log('shop_web_gone'), 10);
    await writeFile(join(roots().containers, 'file.log'), '');
    await age(join(roots().containers, 'file.log'), 10);
    expect((await remove()).containers).to.have.members(['elsewhere.log', 'above.log', 'no-log', 'file.log']);
  });

  it('has nothing to do where there are no logs', async () => {
    expect(await remove()).to.deep.equal({ pods: [], containers: [] });
  });
});
