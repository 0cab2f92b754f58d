import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'mocha';
import {
  type ContainerConfig,
  type ContainerRuntime,
  type ContainerStatus,
  type ImageService,
  type PodSandboxConfig,
  RuntimeError,
  type RuntimeErrorCode,
  type RuntimeService,
} from '../../../src/nodeagent/runtime/index.ts';
import { testImages } from '../../support/containerd-images.ts';
import { eventually } from '../../support/eventually.ts';
import type { OpenRuntime, RuntimeUnderTest } from './suite.ts';

/** A container that does nothing until it is asked to end. */
export const idle = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done'];

const requestTimeoutMs = 30_000;
let pods = 0;

/** A pod of a test: its sandbox, and what it was made from. */
export interface TestPod {
  readonly id: string;
  readonly config: PodSandboxConfig;
}

/** Opens a driver for the tests of one `describe`, and removes at its end what they made. */
export function useSubject(open: OpenRuntime): () => Subject {
  let subject: Subject | undefined;
  before(() => {
    subject = new Subject(open());
  });
  after(() => subject?.[Symbol.asyncDispose]());
  return () => {
    if (subject === undefined) throw new Error('used before the tests have begun');
    return subject;
  };
}

/** As `useSubject`, with a pod that the tests of the `describe` share. */
export function usePod(open: OpenRuntime, config?: Partial<PodSandboxConfig>): () => Subject & SharedPod {
  const subject = useSubject(open);
  let pod: TestPod;
  before(async () => {
    pod = await subject().runPod(config);
  });
  return () => Object.assign(subject(), { pod });
}

interface SharedPod {
  readonly pod: TestPod;
}

/** A driver in the tests of one area, with the steps that they are made of. */
export class Subject implements AsyncDisposable {
  readonly target: RuntimeUnderTest;
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly #driver: ContainerRuntime;
  readonly #sandboxes: string[] = [];
  #containers = 0;

  constructor(target: RuntimeUnderTest) {
    this.target = target;
    this.#driver = target.openDriver({ requestTimeoutMs });
    ({ runtime: this.runtime, images: this.images } = this.#driver);
  }

  /** The config of a pod that no test had yet. */
  async podConfig(config: Partial<PodSandboxConfig> = {}): Promise<PodSandboxConfig> {
    const name = `pod-${++pods}`;
    const logDirectory = join(this.target.folder, 'logs', name);
    await mkdir(logDirectory, { recursive: true });
    return {
      metadata: { name, namespace: 'test', uid: `uid-${name}`, attempt: 0 },
      hostname: name,
      logDirectory,
      cgroupParent: this.target.cgroupParent,
      ...config,
    };
  }

  async runPod(overrides?: Partial<PodSandboxConfig>): Promise<TestPod> {
    const config = await this.podConfig(overrides);
    const id = await this.runtime.runPodSandbox({ config });
    this.#sandboxes.push(id);
    return { id, config };
  }

  /** Makes a container of the busybox image in a pod. Its log is called after its name. */
  async create(pod: TestPod, overrides: Partial<ContainerConfig> = {}): Promise<string> {
    const name = overrides.metadata?.name ?? `c${++this.#containers}`;
    const config = {
      metadata: { name, attempt: 0 },
      image: testImages.busybox,
      command: idle,
      logPath: `${name}.log`,
      ...overrides,
    };
    return await this.runtime.createContainer({ podSandboxId: pod.id, config, sandboxConfig: pod.config });
  }

  async start(pod: TestPod, overrides?: Partial<ContainerConfig>): Promise<string> {
    const id = await this.create(pod, overrides);
    await this.runtime.startContainer(id);
    return id;
  }

  async status(containerId: string): Promise<ContainerStatus> {
    const status = await this.runtime.containerStatus(containerId);
    if (status === undefined) throw new Error(`container ${containerId} is gone`);
    return status;
  }

  async waitForExit(containerId: string): Promise<ContainerStatus> {
    return await eventually(async () => {
      const status = await this.status(containerId);
      return status.state === 'exited' ? status : undefined;
    });
  }

  /** Runs a script in a container of its own and gives what it wrote, its last line end cut off. */
  async outputOf(pod: TestPod, script: string, overrides?: Partial<ContainerConfig>): Promise<string> {
    const id = await this.start(pod, { command: ['sh', '-c', script], ...overrides });
    const { logPath } = await this.waitForExit(id);
    const lines = await readLog(logPath);
    return lines.map(({ text }) => text).join('\n');
  }

  async exec(containerId: string, script: string): Promise<string> {
    const { stdout } = await this.runtime.execSync({ containerId, command: ['sh', '-c', script] });
    return Buffer.from(stdout).toString().trimEnd();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#sandboxes.map(async (id) => {
        await this.runtime.stopPodSandbox(id);
        await this.runtime.removePodSandbox(id);
      }),
    );
    await this.#driver[Symbol.asyncDispose]();
  }
}

/** A line of a container's log. */
export interface LogLine {
  readonly atMs: number;
  readonly stream: string;
  readonly text: string;
}

/** The lines of a log file: `TIME STREAM TAG TEXT`, where `P` marks text that its stream's next entry continues. */
export async function readLog(path: string): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  const begun = new Map<string, LogLine>();
  for (const entry of (await readFile(path, 'utf8')).split('\n').filter((each) => each !== '')) {
    const [, time = '', stream = '', tag = '', text = ''] = /^(\S+) (\S+) (\S+) (.*)$/.exec(entry) ?? [];
    const line = { atMs: Date.parse(time), stream, text: (begun.get(stream)?.text ?? '') + text };
    begun.delete(stream);
    if (tag === 'P') begun.set(stream, line);
    else lines.push(line);
  }
  // What a stream ended with, if that was no line end.
  return [...lines, ...begun.values()];
}

/** The code that a call failed with. @throws Error when it did not fail, or not with a RuntimeError. */
export async function codeOf(call: Promise<unknown>): Promise<RuntimeErrorCode> {
  return (await failureOf(call)).code;
}

/** What a call failed with. @throws Error when it did not fail, or not with a RuntimeError. */
export async function failureOf(call: Promise<unknown>): Promise<RuntimeError> {
  const outcome = await call.then(
    () => 'succeeded',
    (error: unknown) => error,
  );
  if (outcome instanceof RuntimeError) return outcome;
  throw new Error(`expected a RuntimeError, got ${String(outcome)}`);
}
