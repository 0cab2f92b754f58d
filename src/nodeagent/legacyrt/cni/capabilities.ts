import { asJsonObject } from '../../../base/index.ts';
import { type PodSandboxConfig, RuntimeError } from '../../runtime/index.ts';
import type { PluginConfig } from './read-networks.ts';

/** Runtime configuration (`runtimeConfig`) for plugins that declare the capability, by its name. */
export type CapabilityArgs = Readonly<Record<string, unknown>>;

/** A pod's settings from which the runtime configuration of CNI plugins is made. */
export interface CapabilityOptions {
  readonly config: PodSandboxConfig;
  /** Range of addresses of this node; empty when nobody gave one. */
  readonly podCidr: string;
  /** Names of the annotations that bound the traffic of a pod. */
  readonly bandwidthAnnotations: { readonly ingress: string; readonly egress: string };
}

/** Largest burst that plugins take. */
const burstBits = 2 ** 31 - 1;

/** What a pod asks for. */
export function capabilityArgs({ config, podCidr, bandwidthAnnotations }: CapabilityOptions): CapabilityArgs {
  const portMappings = (config.portMappings ?? [])
    .filter(({ hostPort }) => hostPort > 0)
    .map(({ hostPort, containerPort, protocol, hostIp = '' }) => ({
      hostPort,
      containerPort,
      protocol: protocol.toLowerCase(),
      hostIP: hostIp,
    }));
  const { servers, searches, options } = config.dns ?? { servers: [], searches: [], options: [] };
  const ranges = podCidr.split(',').filter((subnet) => subnet !== '');
  const bandwidth = writeBandwidth(config.annotations ?? {}, bandwidthAnnotations);
  return {
    portMappings,
    ...(bandwidth === undefined ? {} : { bandwidth }),
    ...(ranges.length === 0 ? {} : { ipRanges: ranges.map((subnet) => [{ subnet }]) }),
    ...(servers.length + searches.length + options.length === 0
      ? {}
      : { dns: { servers, searches, options } }),
  };
}

/**
 * A plugin's standard input: its part of the configuration, with the runtime configuration of the capabilities that it
 * declares.
 */
export function pluginInput(
  plugin: PluginConfig,
  network: { readonly name: string; readonly cniVersion: string },
  { args, prevResult }: { readonly args: CapabilityArgs; readonly prevResult: unknown },
): unknown {
  const { capabilities, ...rest } = plugin;
  const declared = Object.entries(asJsonObject(capabilities));
  const wished = declared.flatMap(([name, isOn]) => {
    const value = isOn === true ? args[name] : undefined;
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]];
  });
  return {
    ...rest,
    name: network.name,
    cniVersion: network.cniVersion,
    ...(prevResult === undefined ? {} : { prevResult }),
    ...(wished.length === 0 ? {} : { runtimeConfig: Object.fromEntries(wished) }),
  };
}

function writeBandwidth(
  annotations: Readonly<Record<string, string>>,
  names: CapabilityOptions['bandwidthAnnotations'],
): unknown {
  const ingress = readBits(annotations[names.ingress]);
  const egress = readBits(annotations[names.egress]);
  if (ingress === undefined && egress === undefined) return undefined;
  return {
    ...(ingress === undefined ? {} : { ingressRate: ingress, ingressBurst: burstBits }),
    ...(egress === undefined ? {} : { egressRate: egress, egressBurst: burstBits }),
  };
}

const scales: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Bits per second, between 1k and 1P as in release 1.20. @throws RuntimeError `invalid` for what is none */
function readBits(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits = '', suffix = ''] = /^(\d{1,15}(?:\.\d{1,9})?)(|[kMGT]|[KMGT]i)$/.exec(text) ?? [];
  const bits = digits === '' ? Number.NaN : Math.ceil(Number(digits) * (scales[suffix] ?? 1));
  if (bits >= 1000 && bits <= 1e15) return bits;
  throw new RuntimeError('invalid', `RunPodSandbox: failed to get pod bandwidth from annotations: "${text}"`);
}
