import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  checkNodeSearches,
  type NodeSettings,
  runtimeLabelNames,
} from '../../nodeagent/container-config/index.ts';
import { createImagePuller, openCredentialSources } from '../../nodeagent/images/index.ts';
import type { LifecycleParts, PodSurroundings } from '../../nodeagent/lifecycle/index.ts';
import { createAgentObjects } from '../../nodeagent/objects/index.ts';
import { createLifecycleHooks, createProbeHandlers, createProber } from '../../nodeagent/probes/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentLinks } from './agent-links.ts';
import { podMeasures } from './count-metrics.ts';
import { keptInstances } from './kept-instances.ts';
import { makeCgroups } from './make-cgroups.ts';
import { makeProcessors } from './make-processors.ts';
import { makeVolumes } from './make-volumes.ts';
import { nodeSettings } from './node-settings.ts';

/** Makes what running pods takes. @throws Error when a file that the options name cannot be read */
export async function makeLifecycleParts(base: AgentBase, links: AgentLinks): Promise<LifecycleParts> {
  const { config, dialect, clock, logger, machine, driver, events, environment } = base;
  const { runtime, images } = driver;
  const common = { dialect, clock, logger };
  const objects = followObjects(base, links);
  const resolvConf = config.resolvConf === '' ? undefined : await readFile(config.resolvConf, 'utf8');
  const settings = nodeSettings({ config, machine, dialect, resolvConf, nodeIps: [] });
  warnOfSearches(settings, base);
  const homeFolder = environment.HOME;
  const credentialSources = await openCredentialSources({ config, homeFolder, environment, ...common });
  // Leads ids of containers until the runtime has said its name.
  let runtimeName = config.containerRuntime === 'remote' ? 'containerd' : dialect.spell('legacyrt');
  const learnName = runtime.version().then(({ name }) => {
    runtimeName = name;
  });
  learnName.catch(() => {}); // the node's status says that there is no runtime
  return {
    runtime,
    images: createImagePuller({ images, events, config, credentialSources, ...common }),
    volumes: makeVolumes(base, links, objects),
    cgroups: makeCgroups(base),
    processors: await makeProcessors(base, links),
    prober: makeProber(base, links),
    hooks: createLifecycleHooks({ runtime, events, clock }),
    events,
    objects,
    settings: () => ({ ...settings, dns: { ...settings.dns, nodeIps: surroundings(links).hostIps } }),
    surroundings: () => surroundings(links),
    runtimeName: () => runtimeName,
    randomHex,
    measures: podMeasures(base),
    keepsVolumes: config.keepTerminatedPodVolumes,
    syncFrequencyMs: config.syncFrequencyMs,
    garbage: {
      get keepPerContainer() {
        return keptInstances({
          perContainer: config.maximumDeadContainersPerContainer,
          inAll: config.maximumDeadContainers,
          containers: links.watch?.listing.containers ?? [],
          podUidLabel: runtimeLabelNames(dialect).podUid,
        });
      },
      minAgeMs: config.minimumContainerAgeMs,
    },
    ...common,
  };
}

/** Says once what resolvers will not heed of the node's own search domains. */
function warnOfSearches({ dns }: NodeSettings, { config, events }: AgentBase): void {
  if (dns.resolvConf === undefined) return;
  for (const { reason, message } of checkNodeSearches(
    dns.resolvConf,
    config.resolvConf,
    config.clusterDomain,
  )) {
    events.record({ about: { kind: 'node' }, type: 'Warning', reason, message });
  }
}

function followObjects({ clients, config, dialect, clock, logger, signal }: AgentBase, links: AgentLinks) {
  if (clients === undefined) return undefined;
  return createAgentObjects({
    client: clients.main,
    onChange: (podUid) => links.manager?.wake(podUid, { now: true }),
    changeDetection: config.configMapAndSecretChangeDetectionStrategy,
    dialect,
    clock,
    logger,
    signal,
  });
}

function makeProber(
  { config, dialect, clock, logger, driver, events, metrics }: AgentBase,
  links: AgentLinks,
) {
  const enforcesExecTimeout = config.features.ExecProbeTimeout;
  return createProber({
    handlers: createProbeHandlers({ runtime: driver.runtime, dialect, clock, enforcesExecTimeout }),
    events,
    clock,
    logger,
    random: Math.random,
    onChange: (podUid) => links.manager?.wake(podUid),
    metrics: metrics.probes,
  });
}

function surroundings({ node }: AgentLinks): PodSurroundings {
  if (node === undefined) return { hostIps: [], allocatable: {}, networkProblem: undefined };
  const { hostIps, allocatable, networkProblem } = node.state();
  return { hostIps, allocatable, networkProblem };
}

/** Bytes of randomness become twice as many hexadecimal digits. */
const randomHex = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
