import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CpuPolicy } from '../../../../src/nodeagent/cpu-manager/allocate-pod.ts';
import { openCpuState, toRecord } from '../../../../src/nodeagent/cpu-manager/open-cpu-state.ts';
import { checksumOf } from '../../../../src/nodeagent/cpu-manager/state/checksum.ts';
import { CpuStateFile } from '../../../../src/nodeagent/cpu-manager/state/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { machineOf } from './subject.ts';

/** Files that agents of the reference have written. */
const recorded = [
  '{"policyName":"none","defaultCpuSet":"","checksum":1353318690}',
  '{"policyName":"static","defaultCpuSet":"0-1","checksum":1636926438}',
  '{"policyName":"static","defaultCpuSet":"0,2-12,14-23","entries":{"235148fe-393f-47a8-a17d-bd55bc1a836b":{"cgroup1-0":"1,13"}},"checksum":1552716370}',
  '{"policyName":"static","defaultCpuSet":"0,10-15,25-31","entries":{"777870b5-c64f-42f5-9296-688b9dc212ba":{"container-1":"16-24"},"fb15e10a-b6a5-4aaa-8fcd-76c1aa64e6fd":{"container-1":"1-9"}},"checksum":318470969}',
];

describe('the file of CPUs', () => {
  let directory: TemporaryDirectory;
  let file: CpuStateFile;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    file = new CpuStateFile(directory.path, 'NodeAgent');
  });
  afterEach(() => directory.remove());

  const put = (text: string): Promise<void> => writeFile(file.path, text);
  const failure = async (act: Promise<unknown>): Promise<string> =>
    act.then(
      () => 'nothing failed',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const advice = (): string =>
    `, please drain this node and delete the CPU manager checkpoint file "${file.path}" before restarting NodeAgent`;

  for (const text of recorded) {
    it(`reads and writes ${text.slice(0, 60)} as the reference does`, async () => {
      await put(text);
      const record = await file.read(text.includes('static') ? 'static' : 'none');
      if (record === undefined) throw new Error('nothing was read');
      await file.write(record);
      expect(await readFile(file.path, 'utf8')).to.equal(text);
      expect(await readdir(directory.path)).to.deep.equal(['cpu_manager_state']);
    });
  }

  it('renders what it sums up in the order of names', () => {
    const sets = { container2: '1-3', container1: '4-6' };
    const entries = new Map([['pod', new Map(Object.entries(sets))]]);
    expect(checksumOf({ policyName: 'none', defaultCpuSet: '1-3', entries })).to.equal(3610638499);
  });

  it('is nothing before anything was written', async () => {
    expect(await file.read('static')).to.equal(undefined);
  });

  it('takes a file without a checksum', async () => {
    await put('{"policyName":"static","defaultCpuSet":"0"}');
    expect(await file.read('static')).to.include({ defaultCpuSet: '0' });
  });

  it('refuses the file of another policy', async () => {
    await put(recorded[0] ?? '');
    expect(await failure(file.read('static'))).to.equal(
      `CpuManagerError: could not restore state from checkpoint: configured policy "static" differs from state checkpoint policy "none"${advice()}`,
    );
  });

  const broken = [
    ...['', '{', '[]', 'null', '7'],
    '{"policyName":"static","defaultCpuSet":"0-2","checksum":1636926438}',
    '{"policyName":"static","defaultCpuSet":5}',
    '{"policyName":"static","defaultCpuSet":"0","entries":{"a":"0"}}',
    '{"policyName":"static","defaultCpuSet":"0","entries":{"a":{"c":0}}}',
  ];
  for (const text of broken) {
    it(`refuses what no agent wrote: ${text || 'nothing at all'}`, async () => {
      await put(text);
      expect(await failure(file.read('static'))).to.equal(
        `CpuManagerError: could not restore state from checkpoint: checkpoint is corrupted${advice()}`,
      );
    });
  }

  it('says why it cannot be read', async () => {
    const folder = new CpuStateFile(join(file.path, '..', 'x\0'), 'NodeAgent');
    expect(await failure(folder.read('static'))).to.match(/^CpuManagerError: could not restore state/);
  });

  describe('openCpuState', () => {
    const policy: CpuPolicy = {
      topology: machineOf({ sockets: 1, coresPerSocket: 4, threadsPerCore: 1 }),
      reserved: new Set([0]),
      alignment: 'none',
      scope: 'container',
    };
    const putState = (defaultCpuSet: string, entries: Record<string, Record<string, string>> = {}) =>
      put(JSON.stringify({ policyName: 'static', defaultCpuSet, entries }));

    it('begins with all CPUs shared', async () => {
      const fresh = await openCpuState(file, policy);
      expect(toRecord(fresh)).to.deep.equal({
        policyName: 'static',
        defaultCpuSet: '0-3',
        entries: new Map(),
      });
      await putState('');
      expect(await openCpuState(file, policy)).to.deep.equal(fresh);
    });

    it('goes on with what was left', async () => {
      await putState('0,3', { a: { c: '1' }, b: { c: '2', d: '2' } });
      const record = toRecord(await openCpuState(file, policy));
      await file.write(record);
      expect(toRecord(await openCpuState(file, policy))).to.deep.equal(record);
      expect(record.entries.get('b')?.get('d')).to.equal('2');
    });

    const impossible: [string, Record<string, Record<string, string>>, string][] = [
      ['', { a: { c: '1-3' } }, 'default cpuset cannot be empty'],
      ['1-3', { a: { c: '0' } }, 'not all reserved cpus: "0" are present in defaultCpuSet: "1-3"'],
      ['0-2', { a: { c: '2-3' } }, 'pod: a, container: c cpuset: "2-3" overlaps with default cpuset "0-2"'],
      [
        '0-1',
        { a: { c: '2' } },
        'current set of available CPUs "0-3" doesn\'t match with CPUs in state "0-2"',
      ],
      ['0-4', {}, 'current set of available CPUs "0-3" doesn\'t match with CPUs in state "0-4"'],
    ];
    for (const [shared, entries, problem] of impossible) {
      it(`refuses what cannot be on this machine: ${problem}`, async () => {
        await putState(shared, entries);
        expect(await failure(openCpuState(file, policy))).to.equal(
          `CpuManagerError: [cpumanager] static policy invalid state: ${problem}, please drain node and remove policy state file "${file.path}"`,
        );
      });
    }

    it('refuses sets that are none', async () => {
      await putState('0-x');
      expect(await failure(openCpuState(file, policy))).to.include('could not parse default cpu set "0-x": ');
      await putState('0', { a: { c: '3-1' } });
      expect(await failure(openCpuState(file, policy))).to.include(
        'could not parse cpuset "3-1" for container "c" in pod "a": ',
      );
    });
  });
});
