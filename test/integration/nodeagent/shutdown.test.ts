import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Pod } from '../../../src/apis/types/core-v1.ts';
import { systemClock } from '../../../src/base/index.ts';
import { connectBus } from '../../../src/nodeagent/shutdown/dbus/bus-connection.ts';
import {
  type NodeShutdown,
  type ShutdownOptions,
  shutdownRefusal,
  startShutdownManager,
} from '../../../src/nodeagent/shutdown/index.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeLogind } from '../../support/fake-logind.ts';
import { type MessageBus, requireMessageBus, startMessageBus } from '../../support/message-bus.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

const podOf = (name: string, priority: number): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [], priority, terminationGracePeriodSeconds: 600 },
  status: {},
});

/** In place of `systemd-inhibit`: holds a lock that is a line in a file, for as long as its command runs. */
const inhibitor = (log: string): string => `#!/bin/sh
[ -e "${log}.refuse" ] && { echo 'Failed to inhibit: Access denied' >&2; exit 1; }
echo "taken $*" >>"${log}"
while [ $# -gt 1 ]; do shift; done
"$1"
echo released >>"${log}"
`;

describe('startShutdownManager on a bus', () => {
  requireMessageBus();
  let bus: MessageBus;
  let lockLog: string;
  beforeEach(async () => {
    bus = await startMessageBus();
    lockLog = join(bus.folder, 'locks');
    await mkdir(join(bus.folder, 'bin'));
    const program = join(bus.folder, 'bin', 'systemd-inhibit');
    await writeFile(program, inhibitor(lockLog));
    await chmod(program, 0o755);
    await writeFile(lockLog, '');
  });
  afterEach(() => bus[Symbol.asyncDispose]());

  function start(more: Partial<ShutdownOptions> = {}) {
    const done: string[] = [];
    const told: { shutdown: NodeShutdown | undefined } = { shutdown: undefined };
    const logger = createRecordingLogger();
    const manager = startShutdownManager({
      agent: 'nodeagent',
      environment: {
        PATH: `${join(bus.folder, 'bin')}:${process.env.PATH}`,
        DBUS_SYSTEM_BUS_ADDRESS: bus.address,
      },
      periodMs: 4000,
      criticalPeriodMs: 1000,
      pods: () => [podOf('system', 2e9), podOf('web', 0)],
      isCritical: ({ spec }) => (spec.priority ?? 0) >= 2e9,
      evict: async ({ metadata }, { reason, message, graceMs }) => {
        done.push(`${metadata.name} ${graceMs} ${reason}: ${message}`);
      },
      onChange(shutdown) {
        told.shutdown = shutdown;
        done.push('changed');
      },
      clock: systemClock,
      logger,
      configFolder: join(bus.folder, 'logind.conf.d'),
      ...more,
    });
    return { manager, done, told, logger };
  }

  const locks = async (): Promise<string[]> => (await readFile(lockLog, 'utf8')).split('\n').slice(0, -1);
  const untilLocks = (count: number): Promise<string[]> =>
    eventually(async () => {
      const all = await locks();
      return all.length >= count ? all : undefined;
    });
  const until = (holds: () => boolean): Promise<true> => eventually(async () => holds() || undefined);
  const stop = (manager: AsyncDisposable) => manager[Symbol.asyncDispose]();

  it('delays a shutdown until the pods have ended, critical ones last', async () => {
    using logind = await FakeLogind.start(bus.path);
    const { manager, done, told } = start();
    expect(await untilLocks(1)).to.deep.equal([
      'taken --what=shutdown --mode=delay --who=nodeagent --why=nodeagent needs time to end its pods cat',
    ]);
    expect(done).to.deep.equal([]);
    logind.announce(true);
    expect((await untilLocks(2))[1]).to.equal('released');
    expect(done).to.deep.equal([
      'changed',
      'web 3000 Shutdown: Node is shutting, evicting pods',
      'system 1000 Shutdown: Node is shutting, evicting pods',
    ]);
    expect(told.shutdown?.refusal).to.equal(shutdownRefusal);
    expect(told.shutdown?.problem).to.equal('node is shutting down');
    await stop(manager);
  });

  it('waits no longer for pods than their kind has time', async () => {
    using logind = await FakeLogind.start(bus.path);
    const evicted: string[] = [];
    const evict = ({ metadata }: Pod): Promise<void> => {
      evicted.push(metadata.name ?? '');
      return new Promise(() => {});
    };
    const { manager } = start({ periodMs: 1100, criticalPeriodMs: 1000, evict });
    await untilLocks(1);
    logind.announce(true);
    await untilLocks(2);
    expect(evicted).to.deep.equal(['web', 'system']);
    await stop(manager);
  });

  it('takes the lock again, and pods too, when the shutdown is called off', async () => {
    using logind = await FakeLogind.start(bus.path);
    const { manager, done, told, logger } = start();
    await untilLocks(1);
    logind.announce(true);
    await untilLocks(2);
    logind.announce(false);
    expect((await untilLocks(3))[2]).to.match(/^taken/);
    // The program has the lock; the manager knows so a moment later, and gives up what it does not have yet.
    const isTaken = ({ message }: { message: string }) => message === 'shutdown inhibitor lock taken';
    await until(() => logger.lines.filter(isTaken).length === 2);
    expect(told.shutdown?.problem).to.equal(undefined);
    expect(done.at(-1)).to.equal('changed');
    await stop(manager);
    expect((await untilLocks(4))[3]).to.equal('released');
  });

  it('believes nobody but logind', async () => {
    using logind = await FakeLogind.start(bus.path);
    const { manager, done } = start();
    await untilLocks(1);
    const stranger = await connectBus({ path: bus.path, clock: systemClock });
    const path = '/org/freedesktop/login1';
    const forged = {
      kind: 'signal',
      path,
      interface: 'org.freedesktop.login1.Manager',
      signature: 'b',
    } as const;
    stranger.send({ ...forged, member: 'PrepareForShutdown', body: [true] });
    // Straight to each connection there may be, past the bus's rules of who wants what.
    for (let id = 0; id < 6; id += 1) {
      stranger.send({ ...forged, member: 'PrepareForShutdown', destination: `:1.${id}`, body: [true] });
    }
    await stranger.callBus('GetId');
    // What logind says afterwards comes later.
    logind.announce(false);
    logind.announce(true);
    await untilLocks(2);
    expect(done.filter((each) => each === 'changed')).to.deep.equal(['changed']);
    stranger.close();
    await stop(manager);
  });

  it('has logind allow as long a delay as it needs', async () => {
    using logind = await FakeLogind.start(bus.path);
    logind.maxDelayMs = 3000;
    logind.onReload = () => {
      logind.maxDelayMs = 4000;
    };
    const { manager } = start();
    await untilLocks(1);
    expect(logind.reloads).to.deep.equal([['systemd-logind.service', 'all', 1]]);
    const added = await readFile(join(bus.folder, 'logind.conf.d', '99-nodeagent.conf'), 'utf8');
    expect(added).to.match(/^\[Login\]\nInhibitDelayMaxSec=4\n/m);
    await stop(manager);
  });

  it('says once that logind or the bus is missing, and finds it when it comes', async () => {
    const { manager, logger } = start();
    const errors = () => logger.lines.filter(({ level }) => level === 'error');
    await until(() => errors().length > 0);
    expect(errors()[0]?.message).to.equal('node shutdown manager start failed');
    expect(String(errors()[0]?.fields.error)).to.include('org.freedesktop.login1');
    using _logind = await FakeLogind.start(bus.path);
    await untilLocks(1);
    expect(errors()).to.have.length(1);
    await stop(manager);
    await bus.stop();
    const orphan = start();
    await until(() => orphan.logger.lines.length > 0);
    expect(orphan.logger.lines[0]?.message).to.equal('node shutdown manager start failed');
    await stop(orphan.manager);
  });

  it('says why the lock cannot be had', async () => {
    using _logind = await FakeLogind.start(bus.path);
    await writeFile(`${lockLog}.refuse`, '');
    const { manager, logger } = start();
    await until(() => logger.lines.length > 0);
    expect(String(logger.lines[0]?.fields.error)).to.include(
      'the shutdown cannot be delayed: Failed to inhibit: Access denied',
    );
    await stop(manager);
  });

  it('ends pods of a node that was about to shut down before anybody listened', async () => {
    using logind = await FakeLogind.start(bus.path);
    logind.isShuttingDown = true;
    const { manager, done, told } = start();
    await until(() => done.length === 3);
    expect(told.shutdown?.problem).to.equal('node is shutting down');
    expect(await locks()).to.deep.equal([]);
    await stop(manager);
  });
});
