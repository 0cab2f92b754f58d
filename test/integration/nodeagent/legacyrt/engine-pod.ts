import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createLegacyRuntime, type LegacyRuntimeOptions } from '../../../../src/nodeagent/legacyrt/index.ts';
import type {
  ContainerConfig,
  ContainerRuntime,
  PodSandboxConfig,
  RuntimeService,
} from '../../../../src/nodeagent/runtime/index.ts';
import { testImages } from '../../../support/containerd-images.ts';
import type { TestEngine } from '../../../support/engine.ts';
import { eventually } from '../../../support/eventually.ts';

/** A driver of the engine as an agent has it. */
export function openEngine(engine: TestEngine, more: Partial<LegacyRuntimeOptions> = {}): ContainerRuntime {
  return createLegacyRuntime({
    ...engine,
    requestTimeoutMs: 30_000,
    sandboxImage: testImages.pause,
    networkPlugin: 'cni',
    bridge: { mtuBytes: 0, hairpinMode: 'none', nonMasqueradeCidr: '0.0.0.0/0' },
    cgroupDriver: 'cgroupfs',
    imagePullProgressDeadlineMs: 60_000,
    dialect: orchDialect,
    clock: systemClock,
    logger: silentLogger,
    ...more,
  });
}

let pods = 0;

/** A pod on an engine, and what tests do with it. */
export class EnginePod {
  readonly config: PodSandboxConfig;
  readonly id: string;

  private constructor(config: PodSandboxConfig, id: string) {
    this.config = config;
    this.id = id;
  }

  static async run(
    runtime: RuntimeService,
    { folder, cgroupParent }: TestEngine,
    more: Partial<PodSandboxConfig> = {},
  ): Promise<EnginePod> {
    const name = `pod-${++pods}`;
    const logDirectory = join(folder, 'logs', name);
    await mkdir(logDirectory, { recursive: true });
    const metadata = { name, namespace: 'test', uid: `uid-${name}`, attempt: 0 };
    const config = { metadata, hostname: name, logDirectory, cgroupParent, ...more };
    return new EnginePod(config, await runtime.runPodSandbox({ config }));
  }

  /** Starts a container of the busybox image. */
  async start(
    runtime: RuntimeService,
    name: string,
    script: string,
    more: Partial<ContainerConfig> = {},
  ): Promise<string> {
    const id = await runtime.createContainer({
      podSandboxId: this.id,
      sandboxConfig: this.config,
      config: {
        metadata: { name, attempt: 0 },
        image: testImages.busybox,
        command: ['sh', '-c', script],
        logPath: `${name}.log`,
        ...more,
      },
    });
    await runtime.startContainer(id);
    return id;
  }
}

/** Waits until a container has ended; gives its log's path. */
export async function logOfEnded(runtime: RuntimeService, id: string): Promise<string> {
  return await eventually(async () => {
    const status = await runtime.containerStatus(id);
    return status?.state === 'exited' ? status.logPath : undefined;
  });
}
