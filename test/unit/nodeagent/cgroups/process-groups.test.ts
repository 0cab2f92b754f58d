import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/index.ts';
import { CgroupError, createProcessGroups } from '../../../../src/nodeagent/cgroups/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('createProcessGroups', () => {
  let directory: TemporaryDirectory;

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    for (const name of ['cpu', 'memory', 'systemd']) await mkdir(join(directory.path, name));
  });
  afterEach(() => directory.remove());

  const open = () =>
    createProcessGroups({
      root: directory.path,
      clock: systemClock,
      isOfKernel: async (pid) => pid === 7,
    });
  const read = (file: string): Promise<string | undefined> =>
    readFile(join(directory.path, file), 'utf8').catch(() => undefined);

  it('moves a process in the trees that bound it', async () => {
    await open().enter('/own/agent', 42);
    expect(await read('cpu/own/agent/cgroup.procs')).to.equal('42');
    expect(await read('memory/own/agent/cgroup.procs')).to.equal('42');
    expect(await read('systemd/own/agent/cgroup.procs')).to.equal(undefined);
  });

  it('gathers processes of the root, but not those of the kernel, the first and this one', async () => {
    await writeFile(join(directory.path, 'cpu/cgroup.procs'), `1\n7\n${process.pid}\n300\n`);
    await writeFile(join(directory.path, 'memory/cgroup.procs'), `1\n300\n400\n`);
    expect(await open().gatherUngrouped('/system')).to.equal(2);
    expect(await read('cpu/system/cgroup.procs')).to.equal('300');
    // A fake file holds only what was written last.
    expect(await read('memory/system/cgroup.procs')).to.equal('400');
  });

  for (const group of ['', '/', '//', '/../out', 'a/../../b']) {
    it(`refuses ${JSON.stringify(group)}`, async () => {
      const failures = await Promise.all(
        [open().enter(group, 42), open().gatherUngrouped(group)].map((each) =>
          each.catch((error: unknown) => error),
        ),
      );
      for (const failure of failures) expect(failure).to.be.instanceOf(CgroupError);
      expect(await read('cpu/cgroup.procs')).to.equal(undefined);
    });
  }
});
