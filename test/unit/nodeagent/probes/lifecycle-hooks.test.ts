import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Handler, Lifecycle } from '../../../../src/apis/types/core-v1.ts';
import { createLifecycleHooks, type HookTarget } from '../../../../src/nodeagent/probes/index.ts';
import {
  type ExecSyncOptions,
  type ExecSyncResult,
  RuntimeError,
} from '../../../../src/nodeagent/runtime/index.ts';
import { freePort } from '../../../support/free-ports.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { containerOf, podOf, recordEvents, settle } from './subject.ts';

type Exec = (options: ExecSyncOptions) => Promise<ExecSyncResult>;

const nothing = new Uint8Array();
const ended =
  (exitCode: number, stdout = '', stderr = ''): Exec =>
  async () => ({
    exitCode,
    stdout: new TextEncoder().encode(stdout),
    stderr: new TextEncoder().encode(stderr),
  });

/** Hooks with what they record. */
function hooksWith(execSync: Exec) {
  const events = recordEvents();
  const clock = new ManualClock();
  return { events, clock, hooks: createLifecycleHooks({ runtime: { execSync }, events, clock }) };
}

function targetOf(lifecycle: Lifecycle): HookTarget {
  const container = containerOf({ lifecycle, ports: [{ name: 'web', containerPort: 1 }] });
  return { pod: podOf(container), container, containerId: 'id1', podIp: '127.0.0.1' };
}

const command: Handler = { exec: { command: ['sh', '-c', 'false'] } };

describe('createLifecycleHooks', () => {
  describe('postStart', () => {
    it('does nothing without a hook', async () => {
      const { hooks } = hooksWith(() => Promise.reject(new Error('not asked for')));
      expect(await hooks.postStart(targetOf({}))).to.equal(undefined);
    });

    it('runs a command without a time limit', async () => {
      const asked: ExecSyncOptions[] = [];
      const { hooks, events } = hooksWith(async (options) => {
        asked.push(options);
        return { exitCode: 0, stdout: nothing, stderr: nothing };
      });
      expect(await hooks.postStart(targetOf({ postStart: command }))).to.equal(undefined);
      expect(asked).to.deep.equal([
        { containerId: 'id1', command: ['sh', '-c', 'false'], signal: undefined },
      ]);
      expect(events.texts).to.deep.equal([]);
    });

    it('tells what failed in the words of the reference', async () => {
      const { hooks, events } = hooksWith(ended(3, 'out\n', 'err'));
      const message =
        'Exec lifecycle hook ([sh -c false]) for Container "c" in Pod "web_shop(u-1)" failed - error: command \'sh -c false\' exited with 3: err, message: "out\\nerr"';
      expect(await hooks.postStart(targetOf({ postStart: command }))).to.deep.equal({
        reason: "PostStartHookError: command 'sh -c false' exited with 3: err",
        message,
      });
      expect(events.texts).to.deep.equal([`Warning FailedPostStartHook spec.containers{c}: ${message}`]);
    });

    it('tells why the runtime could not run it, with the name of the container for its id', async () => {
      const { hooks, events } = hooksWith(() =>
        Promise.reject(new RuntimeError('not-found', 'ExecSync: no task id1')),
      );
      const failure = await hooks.postStart(targetOf({ postStart: command }));
      expect(failure?.reason).to.equal('PostStartHookError: rpc error: code = NotFound desc = no task id1');
      expect(events.texts[0]).to.include(
        'failed - error: rpc error: code = NotFound desc = no task c, message: ""',
      );
    });

    it('asks for a page, and takes any answer', async () => {
      const seen: (string | undefined)[] = [];
      const server = createServer(({ url }, response) => {
        seen.push(url);
        response.writeHead(500).end();
      }).listen(await freePort(), '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo; // It listens on a port.
      const { hooks } = hooksWith(ended(0));
      expect(await hooks.postStart(targetOf({ postStart: { httpGet: { port, path: 'up' } } }))).to.equal(
        undefined,
      );
      expect(await hooks.postStart(targetOf({ postStart: { httpGet: { port, path: '/up' } } }))).to.equal(
        undefined,
      );
      server.close();
      await once(server, 'close');
      expect(seen).to.deep.equal(['/up', '//up']);
      const failure = await hooks.postStart(targetOf({ postStart: { httpGet: { port, path: 'up' } } }));
      expect(failure?.message).to.equal(
        `HTTP lifecycle hook (up) for Container "c" in Pod "web_shop(u-1)" failed - error: Get "http://127.0.0.1:${port}/up": dial tcp 127.0.0.1:${port}: connect: connection refused, message: ""`,
      );
    });

    it('tells of ports and addresses that there are not', async () => {
      const { hooks } = hooksWith(ended(0));
      const named = await hooks.postStart(targetOf({ postStart: { httpGet: { port: 'other' } } }));
      expect(named?.message).to.include("error: couldn't find port: other in c, ");
      const lost = { ...targetOf({ postStart: { httpGet: { port: 1 } } }), podIp: undefined };
      expect((await hooks.postStart(lost))?.message).to.include(
        'error: failed to find networking container, ',
      );
    });

    for (const [postStart, printed] of [
      [{}, '&Handler{Exec:nil,HTTPGet:nil,TCPSocket:nil,}'],
      [
        { tcpSocket: { port: 80 } },
        '&Handler{Exec:nil,HTTPGet:nil,TCPSocket:&TCPSocketAction{Port:{0 80 },Host:,},}',
      ],
      [
        { tcpSocket: { port: 'web', host: 'a.test' } },
        '&Handler{Exec:nil,HTTPGet:nil,TCPSocket:&TCPSocketAction{Port:{1 0 web},Host:a.test,},}',
      ],
    ] as const) {
      it(`tells that it cannot run ${printed}`, async () => {
        const { hooks } = hooksWith(ended(0));
        expect(await hooks.postStart(targetOf({ postStart }))).to.deep.equal({
          reason: `PostStartHookError: invalid handler: ${printed}`,
          message: `Cannot run handler: invalid handler: ${printed}`,
        });
      });
    }
  });

  describe('preStop', () => {
    it('gives what is left of the grace', async () => {
      const held = Promise.withResolvers<ExecSyncResult>();
      const { hooks, clock, events } = hooksWith(() => held.promise);
      const left = hooks.preStop(targetOf({ preStop: command }), 30_000);
      clock.advance(4000);
      held.resolve({ exitCode: 0, stdout: nothing, stderr: nothing });
      expect(await left).to.equal(26_000);
      expect(events.texts).to.deep.equal([]);
      expect(clock.timerCount).to.equal(0);
    });

    it('leaves the container a moment, however long the hook took', async () => {
      const held = Promise.withResolvers<ExecSyncResult>();
      const { hooks, clock } = hooksWith(() => held.promise);
      const left = hooks.preStop(targetOf({ preStop: command }), 5000);
      clock.advance(4500);
      held.resolve({ exitCode: 0, stdout: nothing, stderr: nothing });
      expect(await left).to.equal(2000);
    });

    it('waits no longer than the grace, and records the failure of a hook that the end of its container cuts', async () => {
      const held = Promise.withResolvers<ExecSyncResult>();
      const { hooks, clock, events } = hooksWith(() => held.promise);
      const left = hooks.preStop(targetOf({ preStop: command }), 5000);
      clock.advance(5000);
      expect(await left).to.equal(2000);
      await settle();
      expect(events.texts).to.deep.equal([]);
      held.resolve({ exitCode: 137, stdout: nothing, stderr: nothing });
      await settle();
      expect(events.texts).to.have.length(1);
      expect(events.texts[0]).to.match(/^Warning FailedPreStopHook .* exited with 137: /);
      expect(clock.timerCount).to.equal(0);
    });

    it('gives a hook up that outlives its container', async () => {
      const { hooks, clock, events } = hooksWith(({ signal }) => {
        const { promise, reject } = Promise.withResolvers<ExecSyncResult>();
        signal?.addEventListener('abort', () => reject(new RuntimeError('cancelled', 'ExecSync: cancelled')));
        return promise;
      });
      const left = hooks.preStop(targetOf({ preStop: command }), 5000);
      clock.advance(5000);
      await left;
      clock.advance(30_000);
      await settle();
      expect(events.texts[0]).to.match(/^Warning FailedPreStopHook .* failed - error: /);
      expect(clock.timerCount).to.equal(0);
    });

    it('records a failure, and goes on', async () => {
      const { hooks, events } = hooksWith(ended(1));
      expect(await hooks.preStop(targetOf({ preStop: command }), 30_000)).to.equal(30_000);
      expect(events.texts[0]).to.match(
        /^Warning FailedPreStopHook spec\.containers\{c\}: Exec lifecycle hook \(\[sh -c false\]\) /,
      );
    });

    it('runs nothing without a hook, or without time for it', async () => {
      const { hooks } = hooksWith(() => Promise.reject(new Error('not asked for')));
      expect(await hooks.preStop(targetOf({}), 500)).to.equal(500);
      expect(await hooks.preStop(targetOf({ preStop: command }), 0)).to.equal(0);
    });
  });
});
