import { createCriRuntime } from '../../nodeagent/cri/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import type { ContainerRuntime } from '../../nodeagent/runtime/index.ts';

/** The driver of the runtime that the options name. @throws RangeError for an endpoint that cannot be one */
export function openRuntime(
  config: Pick<
    AgentConfig,
    'containerRuntime' | 'containerRuntimeEndpoint' | 'imageServiceEndpoint' | 'runtimeRequestTimeoutMs'
  >,
): ContainerRuntime {
  return createCriRuntime({
    endpoint: config.containerRuntimeEndpoint,
    imageEndpoint: config.imageServiceEndpoint,
    requestTimeoutMs: config.runtimeRequestTimeoutMs,
  });
}
