import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import type { ContainerRuntime } from '../../nodeagent/runtime/index.ts';

export interface OpenRuntimeOptions {
  readonly config: Pick<
    AgentConfig,
    | 'containerRuntime'
    | 'containerRuntimeEndpoint'
    | 'imageServiceEndpoint'
    | 'runtimeRequestTimeoutMs'
    | 'legacyrtEndpoint'
    | 'podInfraContainerImage'
    | 'networkPlugin'
    | 'cniConfDir'
    | 'cniBinDir'
    | 'cniCacheDir'
    | 'networkPluginMtuBytes'
    | 'hairpinMode'
    | 'nonMasqueradeCidr'
    | 'cgroupDriver'
    | 'imagePullProgressDeadlineMs'
  >;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The driver of the runtime that the options name; that of the other one is not loaded.
 *
 * @throws RangeError for an endpoint or a network plugin that cannot be one
 */
export async function openRuntime({ config, ...common }: OpenRuntimeOptions): Promise<ContainerRuntime> {
  const requestTimeoutMs = config.runtimeRequestTimeoutMs;
  if (config.containerRuntime === 'legacyrt') {
    const { createLegacyRuntime } = await import('../../nodeagent/legacyrt/index.ts');
    return createLegacyRuntime({
      endpoint: config.legacyrtEndpoint,
      requestTimeoutMs,
      sandboxImage: config.podInfraContainerImage,
      networkPlugin: config.networkPlugin,
      cniConfDir: config.cniConfDir,
      cniBinDir: config.cniBinDir,
      cniCacheDir: config.cniCacheDir,
      bridge: {
        mtuBytes: config.networkPluginMtuBytes,
        hairpinMode: config.hairpinMode,
        nonMasqueradeCidr: config.nonMasqueradeCidr,
      },
      cgroupDriver: config.cgroupDriver,
      imagePullProgressDeadlineMs: config.imagePullProgressDeadlineMs,
      ...common,
    });
  }
  const { createCriRuntime } = await import('../../nodeagent/cri/index.ts');
  return createCriRuntime({
    endpoint: config.containerRuntimeEndpoint,
    imageEndpoint: config.imageServiceEndpoint,
    requestTimeoutMs,
  });
}
