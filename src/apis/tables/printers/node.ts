import type { Dialect } from '../../../machinery/dialect.ts';
import type { Node } from '../../types/core-v1.ts';
import { ageSince } from '../age.ts';
import { orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

/** The field of `nodeInfo` whose name the dialect spells. */
const agentVersionField = 'nodeAgentVersion';

/** Rows of nodes. */
export const nodePrinter: RowPrinter<Node> = {
  cells(node, { nowMs, dialect }) {
    const { metadata, status } = node;
    // Every field of nodeInfo is a text; the agent's version is spelled by the dialect.
    const info = status.nodeInfo as unknown as Readonly<Record<string, string>>;
    return [
      metadata.name ?? '',
      formatStatus(node),
      formatRoles(metadata.labels ?? {}, dialect),
      ageSince(metadata.creationTimestamp, nowMs),
      info[dialect.spell(agentVersionField)] ?? '',
      findAddress(node, 'InternalIP'),
      findAddress(node, 'ExternalIP'),
      status.nodeInfo.osImage || '<unknown>',
      status.nodeInfo.kernelVersion || '<unknown>',
      status.nodeInfo.containerRuntimeVersion || '<unknown>',
    ];
  },
};

function formatStatus({ spec, status }: Node): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable === true ? `${text},SchedulingDisabled` : text;
}

function formatRoles(labels: Readonly<Record<string, string>>, dialect: Dialect): string {
  const prefix = dialect.spell('node-role.orch.io/');
  const roleLabel = dialect.label('role');
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(prefix)) roles.add(key.slice(prefix.length));
    else if (key === roleLabel) roles.add(value);
  }
  roles.delete('');
  return orNone([...roles].sort().join(','));
}

function findAddress({ status }: Node, wanted: string): string {
  return status.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
}
