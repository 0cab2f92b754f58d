import { expect } from 'chai';
import {
  type KernelLog,
  OomReader,
  type SystemOom,
  watchSystemOoms,
} from '../../../../src/nodeagent/host/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

const begin = 'stress invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0';
const groups = 'nodemask=(null),cpuset=ab,mems_allowed=0';

describe('OomReader', () => {
  const cases: readonly (readonly [what: string, lines: readonly string[], found: readonly SystemOom[]])[] = [
    [
      'a machine out of memory',
      [
        begin,
        'Tasks state (memory values in pages):',
        `oom-kill:constraint=CONSTRAINT_NONE,${groups},global_oom,task_memcg=/orchpods/a,task=big,pid=42,uid=0`,
        'Out of memory: Killed process 42 (big) total-vm:26852kB, anon-rss:15752kB',
      ],
      [{ processName: 'big', pid: 42 }],
    ],
    [
      'a group at its limit',
      [
        begin,
        `oom-kill:constraint=CONSTRAINT_MEMCG,${groups},oom_memcg=/orchpods/a,task_memcg=/orchpods/a/b,task=sh,pid=43,uid=0`,
        'Memory cgroup out of memory: Killed process 43 (sh) total-vm:26852kB',
      ],
      [],
    ],
    [
      'the root group at its limit',
      [
        begin,
        `oom-kill:constraint=CONSTRAINT_MEMCG,${groups},oom_memcg=/,task_memcg=/a,task=sh,pid=44,uid=0`,
      ],
      [{ processName: 'sh', pid: 44 }],
    ],
    [
      'a group at its limit, of an older kernel',
      [begin, 'Task in /a/b killed as a result of limit of /a', 'Killed process 45 (sh) total-vm:1kB'],
      [],
    ],
    [
      'a machine out of memory, of an older kernel',
      [begin, 'Killed process 46 (java (main)) total-vm:1kB'],
      [{ processName: 'java (main)', pid: 46 }],
    ],
    [
      'words that nothing led to',
      ['Killed process 47 (sh)', 'Task in / killed as a result of limit of /'],
      [],
    ],
  ];
  for (const [what, lines, found] of cases) {
    it(`finds ${found.length} in the lines of ${what}`, () => {
      const reader = new OomReader();
      const read = (): readonly (SystemOom | undefined)[] => lines.map((line) => reader.take(line));
      expect(read().filter((one) => one !== undefined)).to.deep.equal(found);
      expect(
        read().filter((one) => one !== undefined),
        'once more',
      ).to.deep.equal(found);
    });
  }
});

describe('watchSystemOoms', () => {
  const record = (text: string): string => `6,1,2,-;${text}\n SUBSYSTEM=x\n`;
  const kill = (pid: number): readonly string[] => [record(begin), record(`Killed process ${pid} (sh)`)];
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('tells of what is written from its beginning on, every ten seconds, until the end', async () => {
    const clock = new ManualClock(0);
    const records = [...kill(1)];
    let isClosed = false;
    const log: KernelLog = {
      read: () => records.shift(),
      [Symbol.dispose]: () => {
        isClosed = true;
      },
    };
    const end = new AbortController();
    const found: number[] = [];
    const watching = watchSystemOoms({
      onOom: ({ pid }) => found.push(pid),
      clock,
      logger: createRecordingLogger(),
      signal: end.signal,
      open: () => log,
    });
    await settle();
    records.push(...kill(2), ...kill(3));
    clock.advance(10_000);
    await settle();
    expect(found).to.deep.equal([2, 3]);
    records.push(...kill(4).slice(0, 1));
    clock.advance(10_000);
    await settle();
    records.push(...kill(4).slice(1));
    clock.advance(10_000);
    await settle();
    expect(found).to.deep.equal([2, 3, 4]);
    end.abort();
    await watching;
    expect(isClosed).to.equal(true);
  });

  it('says once that the log cannot be read', async () => {
    const logger = createRecordingLogger();
    await watchSystemOoms({
      onOom: () => {},
      clock: new ManualClock(0),
      logger,
      signal: new AbortController().signal,
      open: () => {
        throw new Error('EPERM: operation not permitted');
      },
    });
    expect(logger.lines.map(({ message }) => message)).to.deep.equal([
      'kernel log not readable, SystemOOM events will not be recorded',
    ]);
  });
});
