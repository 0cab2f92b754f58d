import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import type { Container, Probe } from '../../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../../src/base/index.ts';
import {
  createProber,
  type HandlerResult,
  type HandlerTarget,
  type ProbeHandlers,
  type Prober,
} from '../../../../src/nodeagent/probes/index.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { containerOf, podOf, recordEvents, settle } from './subject.ts';

const second = 1000;
const periodOf2: Probe = { periodSeconds: 2, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 1 };
const commandOf = (name: string, more: Partial<Probe> = {}): Probe => ({
  ...periodOf2,
  exec: { command: [name] },
  ...more,
});

/** A prober whose handlers answer what `answers` says for a probe's command, the last answer again and again. */
class Bench {
  readonly clock = new ManualClock();
  readonly events = recordEvents();
  readonly answers = new Map<string, HandlerResult['outcome'][]>();
  readonly runs: string[] = [];
  readonly targets: HandlerTarget[] = [];
  readonly changes: string[] = [];
  readonly metrics = new Map<string, number>();
  prober: Prober & Disposable;
  random = 0;
  /** Looks that are answered only when this is called. */
  release: (() => void) | undefined;
  isHeld = false;

  constructor() {
    this.prober = this.#create();
  }

  /** As after a restart of the agent. */
  restart(): void {
    this.prober[Symbol.dispose]();
    this.prober = this.#create();
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      this.clock.advance(Math.min(500, ms - passed));
      await settle();
    }
  }

  /** The prober learns what runs. */
  see(container: Container, id: string | undefined, startedAtMs = this.clock.nowMs(), metadata = {}): void {
    const running = id === undefined ? [] : [{ name: container.name, id, startedAtMs }];
    this.prober.update(podOf(container, metadata), running, '10.1.0.5');
  }

  #create(): Prober & Disposable {
    const handlers: ProbeHandlers = {
      run: (handler, target) => this.#run(handler.exec?.command?.[0] ?? '', target),
    };
    const { clock, events } = this;
    return createProber({
      handlers,
      events,
      clock,
      logger: silentLogger,
      random: () => this.random,
      onChange: (podUid) => this.changes.push(podUid),
      metrics: {
        define: () => undefined,
        add: (name, amount, labels) => {
          const key = `${name} ${labels.join(' ')}`;
          this.metrics.set(key, (this.metrics.get(key) ?? 0) + amount);
        },
        clear: (name, labels) => void this.metrics.delete(`${name} ${labels.join(' ')}`),
      },
    });
  }

  async #run(name: string, target: HandlerTarget): Promise<HandlerResult> {
    this.runs.push(name);
    this.targets.push(target);
    const answers = this.answers.get(name) ?? ['success'];
    const outcome = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'success';
    if (this.isHeld)
      await new Promise<void>((resolve) => {
        this.release = resolve;
      });
    return { outcome, output: outcome === 'success' ? '' : `says ${target.containerId}` };
  }
}

describe('createProber', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = new Bench();
    // Long after the agent's start.
    await bench.pass(60 * second);
  });

  it('takes a container without probes for started and ready at once, and one that it does not know for neither', () => {
    bench.see(containerOf(), 'id1');
    expect(bench.prober.results('id1')).to.deep.equal({ health: 'fine', isStarted: true, isReady: true });
    expect(bench.prober.results('id2')).to.deep.equal({ health: 'fine', isStarted: false, isReady: false });
  });

  it('takes a container for ready after its first success', async () => {
    const container = containerOf({ readinessProbe: commandOf('ready') });
    bench.see(container, 'id1');
    expect(bench.prober.results('id1')).to.deep.equal({ health: 'fine', isStarted: true, isReady: false });
    await bench.pass(0);
    bench.clock.advance(0);
    await settle();
    expect(bench.prober.results('id1').isReady).to.equal(true);
    expect(bench.changes).to.deep.equal(['u-1']);
    expect(bench.targets[0]).to.include({ containerId: 'id1', podIp: '10.1.0.5', timeoutMs: second });
  });

  it('probes in steps that are counted from when it first saw the pod', async () => {
    const container = containerOf({ readinessProbe: commandOf('ready') });
    bench.see(container, undefined);
    await bench.pass(500);
    bench.see(container, 'id1');
    await bench.pass(second);
    expect(bench.runs).to.have.length(0);
    await bench.pass(500);
    expect(bench.runs).to.have.length(1);
    await bench.pass(4 * second);
    expect(bench.runs).to.have.length(3);
  });

  it('waits until the container has run for the initial delay', async () => {
    const container = containerOf({ readinessProbe: commandOf('ready', { initialDelaySeconds: 3 }) });
    bench.see(container, 'id1', bench.clock.nowMs() - second);
    await bench.pass(1500);
    expect(bench.runs).to.have.length(0);
    await bench.pass(500);
    expect(bench.runs).to.have.length(1);
  });

  it('spreads the first probes over the period when the agent was just started', async () => {
    bench.random = 0.75;
    bench.restart();
    bench.see(containerOf({ readinessProbe: commandOf('ready') }), 'id1', 0);
    await bench.pass(second);
    expect(bench.runs).to.have.length(0);
    await bench.pass(second);
    expect(bench.runs).to.have.length(1);
  });

  it('says that a container fails after so many failures in a row, and leaves it alone then', async () => {
    bench.answers.set('live', ['failure', 'success', 'failure', 'failure']);
    const container = containerOf({ livenessProbe: commandOf('live', { failureThreshold: 2 }) });
    bench.see(container, 'id1');
    await bench.pass(5 * second);
    expect(bench.prober.results('id1').health).to.equal('fine');
    await bench.pass(second);
    expect(bench.prober.results('id1').health).to.equal('liveness-failed');
    expect(bench.changes).to.have.length(1);
    await bench.pass(60 * second);
    expect(bench.runs).to.have.length(4);
    expect(bench.events.texts).to.deep.equal(
      Array(3).fill('Warning Unhealthy spec.containers{c}: Liveness probe failed: says c'),
    );
  });

  it('begins anew with another instance', async () => {
    bench.answers.set('live', ['failure', 'success']);
    const container = containerOf({ livenessProbe: commandOf('live') });
    bench.see(container, 'id1');
    await bench.pass(second);
    expect(bench.prober.results('id1').health).to.equal('liveness-failed');
    bench.see(container, undefined);
    bench.see(container, 'id2');
    expect(bench.prober.results('id2').health).to.equal('fine');
    expect(bench.prober.results('id1').isReady).to.equal(false);
    await bench.pass(2 * second);
    expect(bench.runs).to.have.length(2);
    expect(bench.targets[1]?.containerId).to.equal('id2');
  });

  it('takes changed probes over with the next instance', async () => {
    bench.see(containerOf({ readinessProbe: commandOf('old') }), 'id1');
    bench.see(containerOf({ readinessProbe: commandOf('new') }), 'id1');
    await bench.pass(500);
    expect(bench.runs).to.deep.equal(['old']);
    bench.see(containerOf({ readinessProbe: commandOf('new') }), 'id2');
    await bench.pass(2 * second);
    expect(bench.runs).to.deep.equal(['old', 'new']);
    bench.see(containerOf(), 'id3');
    expect(bench.prober.results('id3').isReady).to.equal(true);
  });

  it('keeps a container ready until so many failures, and unready until so many successes', async () => {
    bench.answers.set('ready', ['success', 'success', 'failure', 'failure', 'success', 'success']);
    bench.see(
      containerOf({ readinessProbe: commandOf('ready', { successThreshold: 2, failureThreshold: 2 }) }),
      'id1',
    );
    const seen: boolean[] = [];
    for (let count = 0; count < 6; count++) {
      await bench.pass(2 * second);
      seen.push(bench.prober.results('id1').isReady);
    }
    // Each stretch of two seconds has one look; the first one has two.
    expect(seen).to.deep.equal([true, true, false, false, true, true]);
  });

  it('runs nothing but the startup probe until that has succeeded, and never again', async () => {
    bench.answers.set('start', ['failure', 'failure', 'success']);
    const container = containerOf({
      startupProbe: commandOf('start', { failureThreshold: 3 }),
      livenessProbe: commandOf('live'),
      readinessProbe: commandOf('ready'),
    });
    bench.see(container, 'id1');
    await bench.pass(3 * second);
    expect(bench.runs).to.deep.equal(['start', 'start']);
    expect(bench.prober.results('id1')).to.deep.equal({ health: 'fine', isStarted: false, isReady: false });
    await bench.pass(second);
    expect(bench.prober.results('id1').isStarted).to.equal(true);
    await bench.pass(4 * second);
    expect(bench.runs.filter((name) => name === 'start')).to.have.length(3);
    expect(bench.runs).to.include.members(['live', 'ready']);
    expect(bench.prober.results('id1')).to.deep.equal({ health: 'fine', isStarted: true, isReady: true });
  });

  it('says that a container never started', async () => {
    bench.answers.set('start', ['failure']);
    bench.see(containerOf({ startupProbe: commandOf('start', { failureThreshold: 2 }) }), 'id1');
    await bench.pass(10 * second);
    expect(bench.prober.results('id1')).to.deep.equal({
      health: 'startup-failed',
      isStarted: false,
      isReady: true,
    });
    expect(bench.runs).to.have.length(2);
    expect(bench.events.texts[0]).to.equal(
      'Warning Unhealthy spec.containers{c}: Startup probe failed: says c',
    );
  });

  it('tries a probe that cannot be run three times, and then forgets about it', async () => {
    bench.answers.set('live', ['unknown']);
    bench.see(containerOf({ livenessProbe: commandOf('live') }), 'id1');
    await bench.pass(second);
    expect(bench.runs).to.have.length(3);
    expect(bench.events.texts).to.deep.equal([
      'Warning Unhealthy spec.containers{c}: Liveness probe errored: says c',
    ]);
    expect(bench.prober.results('id1').health).to.equal('fine');
    await bench.pass(2 * second);
    expect(bench.runs).to.have.length(6);
  });

  it('warns of what is odd about a success', async () => {
    bench.answers.set('ready', ['warning']);
    bench.see(containerOf({ readinessProbe: commandOf('ready') }), 'id1');
    await bench.pass(second);
    expect(bench.prober.results('id1').isReady).to.equal(true);
    expect(bench.events.texts).to.deep.equal([
      'Warning ProbeWarning spec.containers{c}: Readiness probe warning: says c',
    ]);
  });

  it('looks at most once at a time, and at once after a look that took too long', async () => {
    bench.isHeld = true;
    bench.see(containerOf({ readinessProbe: commandOf('ready') }), 'id1');
    await bench.pass(5 * second);
    expect(bench.runs).to.have.length(1);
    bench.isHeld = false;
    bench.release?.();
    await settle();
    await bench.pass(500);
    expect(bench.runs).to.have.length(2);
    await bench.pass(second);
    expect(bench.runs).to.have.length(3);
  });

  it('stops judging whether a pod that is being deleted lives, not whether it is ready', async () => {
    const container = containerOf({ livenessProbe: commandOf('live'), readinessProbe: commandOf('ready') });
    bench.see(container, 'id1');
    await bench.pass(second);
    bench.see(container, 'id1', 0, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    bench.runs.length = 0;
    await bench.pass(4 * second);
    expect(bench.runs).to.deep.equal(['ready', 'ready']);
  });

  it('says nothing of a look that was given up', async () => {
    bench.isHeld = true;
    bench.answers.set('live', ['failure']);
    const container = containerOf({ livenessProbe: commandOf('live') });
    bench.see(container, 'id1');
    await bench.pass(500);
    bench.see(container, undefined);
    expect(bench.targets[0]?.signal?.aborted).to.equal(true);
    bench.release?.();
    await settle();
    expect(bench.events.texts).to.deep.equal([]);
    expect(bench.changes).to.deep.equal([]);
  });

  it('counts probes by result until the pod is removed, and then does nothing more', async () => {
    bench.answers.set('ready', ['failure', 'success']);
    bench.see(containerOf({ readinessProbe: commandOf('ready') }), 'id1');
    await bench.pass(4 * second);
    expect([...bench.metrics]).to.deep.equal([
      ['prober_probe_total c shop web u-1 Readiness failed', 1],
      ['prober_probe_total c shop web u-1 Readiness successful', 2],
    ]);
    bench.prober.remove('u-1');
    expect(bench.metrics.size).to.equal(0);
    expect(bench.prober.results('id1').isReady).to.equal(false);
    await bench.pass(10 * second);
    expect(bench.runs).to.have.length(3);
    expect(bench.clock.timerCount).to.equal(0);
  });

  it('sets no timer for containers that do not run', async () => {
    const container = containerOf({ livenessProbe: commandOf('live'), readinessProbe: commandOf('ready') });
    bench.see(container, undefined);
    expect(bench.clock.timerCount).to.equal(0);
    bench.see(container, 'id1');
    bench.see(container, 'id1');
    expect(bench.clock.timerCount).to.equal(2);
    bench.see(container, undefined);
    expect(bench.clock.timerCount).to.equal(0);
  });
});
