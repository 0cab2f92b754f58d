import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Container, Pod } from '../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import {
  createLifecycleHooks,
  createProbeHandlers,
  createProber,
  type Prober,
} from '../../../src/nodeagent/probes/index.ts';
import { Subject, type TestPod } from '../../conformance/runtime/subject.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { eventually } from '../../support/eventually.ts';
import { requireContainerd } from '../../support/require-containerd.ts';
import { recordEvents } from '../../unit/nodeagent/probes/subject.ts';

const everySecond = { periodSeconds: 1, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 1 };
const answerPages = [
  'sh',
  '-c',
  'mkdir /tmp/w; echo hello >/tmp/w/index.html; exec httpd -f -p 8080 -h /tmp/w',
];

describe('probes and hooks of containers that containerd runs', () => {
  let containerd: Containerd | undefined;
  let subject: Subject;
  let sandbox: TestPod;
  let podIp: string | undefined;
  const events = recordEvents();

  requireContainerd();
  before(async () => {
    const started = await startContainerd();
    containerd = started;
    const openDriver = ({ requestTimeoutMs }: { readonly requestTimeoutMs: number }) =>
      createCriRuntime({ endpoint: started.endpoint, requestTimeoutMs });
    subject = new Subject({ ...started, openDriver });
    sandbox = await subject.runPod();
    podIp = (await subject.runtime.podSandboxStatus(sandbox.id))?.ips[0];
  });
  after(async () => {
    await subject?.[Symbol.asyncDispose]();
    await containerd?.[Symbol.asyncDispose]();
  });

  const podOf = (container: Container): Pod => {
    const { name, uid } = sandbox.config.metadata;
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'test', uid, creationTimestamp: null },
      spec: { containers: [container] },
      status: {},
    };
  };

  /** Runs a container and probes it until the results are as they should be. */
  const until = async (
    container: Container,
    command: readonly string[],
    isReached: (prober: Prober, id: string) => boolean,
  ): Promise<void> => {
    const id = await subject.start(sandbox, { command: [...command] });
    const { runtime } = subject;
    const handlers = createProbeHandlers({
      runtime,
      dialect: orchDialect,
      enforcesExecTimeout: true,
      clock: systemClock,
    });
    using prober = createProber({
      metrics: { define() {}, add() {}, clear() {} },
      handlers,
      events,
      clock: systemClock,
      logger: silentLogger,
      random: () => 0,
      onChange: () => undefined,
    });
    prober.update(podOf(container), [{ name: container.name, id, startedAtMs: Date.now() }], podIp);
    await eventually(async () => (isReached(prober, id) ? true : undefined));
  };

  it('find a server ready by HTTP and TCP on the address of its pod', async () => {
    const readinessProbe = { ...everySecond, httpGet: { path: '/', port: 8080 } };
    const startupProbe = { ...everySecond, failureThreshold: 30, tcpSocket: { port: 'web' } };
    const ports = [{ name: 'web', containerPort: 8080 }];
    const container = { name: 'server', resources: {}, ports, readinessProbe, startupProbe };
    await until(container, answerPages, (prober, id) => prober.results(id).isReady);
  });

  it('find a container unwell whose command takes too long, and say so as the reference does', async () => {
    const livenessProbe = { ...everySecond, exec: { command: ['sleep', '30'] } };
    const container = { name: 'slow', resources: {}, livenessProbe };
    const idle = ['sh', '-c', 'sleep 1000'];
    await until(container, idle, (prober, id) => prober.results(id).health === 'liveness-failed');
    expect(events.texts).to.include('Warning Unhealthy spec.containers{slow}: Liveness probe failed: ');
  });

  it('run hooks in the container', async () => {
    const containerId = await subject.start(sandbox);
    const container = {
      name: 'hooked',
      resources: {},
      lifecycle: {
        postStart: { exec: { command: ['sh', '-c', 'echo hook >/tmp/h'] } },
        preStop: { exec: { command: ['sh', '-c', 'echo no >&2; exit 4'] } },
      },
    };
    const target = { pod: podOf(container), container, containerId, podIp };
    const hooks = createLifecycleHooks({ runtime: subject.runtime, events, clock: systemClock });
    expect(await hooks.postStart(target)).to.equal(undefined);
    expect(await subject.exec(containerId, 'cat /tmp/h')).to.equal('hook');
    expect(await hooks.preStop(target, 20_000)).to.be.within(10_000, 20_000);
    const { name, uid } = sandbox.config.metadata;
    expect(events.texts.at(-1)).to.equal(
      `Warning FailedPreStopHook spec.containers{hooked}: Exec lifecycle hook ([sh -c echo no >&2; exit 4]) for Container "hooked" in Pod "${name}_test(${uid})" failed - error: command 'sh -c echo no >&2; exit 4' exited with 4: no\n, message: "no\\n"`,
    );
  });
});
