import { kindsOfGates, type MigratedKind } from '../../apis/csi-migration/index.ts';
import { CsiDrivers, CsiNode } from '../../nodeagent/csi/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentClients } from './agent-clients.ts';

/** Drivers of the container storage interface, and what the API server shows of them. */
export interface AgentCsi {
  readonly drivers: CsiDrivers;
  readonly node: CsiNode;
}

/** What drivers are known and shown with. */
type CsiInputs = Pick<AgentBase, 'config' | 'nodeName' | 'dialect' | 'clock' | 'logger'> & {
  readonly clients: Pick<AgentClients, 'main'> | undefined;
};

/** Built-in kinds of volumes that gates leave to drivers. */
export function migratedKindsOf({
  features,
}: Pick<AgentBase['config'], 'features'>): readonly MigratedKind[] {
  const gates = new Map(Object.entries(features));
  return kindsOfGates((gate) => gates.get(gate) === true);
}

/** No driver is known before it registers. */
export function makeCsi({ config, clients, nodeName, dialect, clock, logger }: CsiInputs): AgentCsi {
  const node = new CsiNode({
    client: clients?.main,
    nodeName,
    migratedPlugins: migratedKindsOf(config).map(({ plugin }) => dialect.label(plugin)),
    dialect,
    clock,
    logger,
  });
  return { drivers: new CsiDrivers({ csiNode: node, dialect, logger }), node };
}
