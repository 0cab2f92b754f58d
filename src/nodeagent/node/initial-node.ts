import type { Node, NodeStatus, Taint } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import { differingLabels, initialLabels } from './labels.ts';

type NodeConfig = Pick<
  AgentConfig,
  | 'nodeLabels'
  | 'nodeIps'
  | 'registerWithTaints'
  | 'registerSchedulable'
  | 'cloudProvider'
  | 'providerId'
  | 'enableControllerAttachDetach'
>;

/** What the Node is made from that the agent registers. */
export interface InitialNodeOptions {
  readonly config: NodeConfig;
  readonly nodeName: string;
  readonly architecture: string;
  readonly dialect: Dialect;
}

/** The node as it is registered. */
export function initialNode(options: InitialNodeOptions, status: NodeStatus): Node {
  const { config, nodeName, architecture, dialect } = options;
  const given = config.nodeLabels;
  const annotations = initialAnnotations(options);
  const taints = initialTaints(config, dialect);
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: {
      name: nodeName,
      labels: { ...initialLabels({ hostname: nodeName, architecture, given, dialect }) },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: {
      ...(config.providerId === '' ? {} : { providerID: config.providerId }),
      ...(config.registerSchedulable ? {} : { unschedulable: true }),
      ...(taints.length === 0 ? {} : { taints }),
    },
    status,
  };
}

const attachDetachAnnotation = (dialect: Dialect): string =>
  dialect.domain('volumes', 'controller-managed-attach-detach');

function initialAnnotations({ config, dialect }: InitialNodeOptions): Record<string, string> {
  const [nodeIp] = config.nodeIps;
  return {
    ...(config.enableControllerAttachDetach ? { [attachDetachAnnotation(dialect)]: 'true' } : {}),
    ...(config.cloudProvider === 'external' && nodeIp !== undefined
      ? { [dialect.domain('alpha', 'provided-node-ip')]: nodeIp }
      : {}),
  };
}

/**
 * Patch for a node that existed before the agent started: system labels and annotations; labels and taints of the
 * options apply only to nodes that the agent creates. Extended resources are set to 0 until their provider reports them
 * to this agent, unless it knows that they are those of its own plugins. Undefined when nothing changes.
 */
export function existingNodePatch(
  initial: Node,
  existing: Node,
  { dialect, keepsExtended = false }: { readonly dialect: Dialect; readonly keepsExtended?: boolean },
): object | undefined {
  const labels = differingLabels(initial.metadata.labels ?? {}, existing.metadata.labels ?? {}, dialect);
  const desired = initial.metadata.annotations ?? {};
  const shown = existing.metadata.annotations ?? {};
  const names = new Set([attachDetachAnnotation(dialect), ...Object.keys(desired)]);
  const annotations = Object.fromEntries(
    [...names].filter((name) => shown[name] !== desired[name]).map((name) => [name, desired[name] ?? null]),
  );
  const zeroed = Object.fromEntries(
    Object.entries(existing.status.capacity ?? {})
      .filter(([name, amount]) => !keepsExtended && isExtended(name, dialect) && amount !== '0')
      .map(([name]) => [name, '0']),
  );
  const metadata = withoutEmpty({ labels, annotations });
  const status = withoutEmpty({ capacity: zeroed, allocatable: zeroed });
  const patch = withoutEmpty({ metadata, status });
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Resources outside the product's own domain. */
const isExtended = (name: string, dialect: Dialect): boolean =>
  name.includes('/') && !name.includes(dialect.label('')) && !name.startsWith('requests.');

const withoutEmpty = (parts: Readonly<Record<string, object>>): Record<string, object> =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0));

type TaintConfig = Pick<AgentConfig, 'registerWithTaints' | 'registerSchedulable' | 'cloudProvider'>;

/** Taints that a node is registered with; the server adds that it is not ready. */
function initialTaints(config: TaintConfig, dialect: Dialect): Taint[] {
  const taints: Taint[] = config.registerWithTaints.map(({ key, value, effect }) => ({
    key,
    ...(value === '' ? {} : { value }),
    effect,
  }));
  const unschedulable = dialect.domain('node', 'unschedulable');
  if (!config.registerSchedulable && !taints.some(({ key }) => key === unschedulable)) {
    taints.push({ key: unschedulable, effect: 'NoSchedule' });
  }
  if (config.cloudProvider === 'external') {
    const key = dialect.domain('node.cloudprovider', 'uninitialized');
    taints.push({ key, value: 'true', effect: 'NoSchedule' });
  }
  return taints;
}
