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

type Features = AgentBase['config']['features'];

/** Built-in kinds of volumes that gates leave to drivers. */
function listMigrated(features: Features): readonly string[] {
  if (!features.CSIMigration) return [];
  const kinds = {
    'aws-ebs': features.CSIMigrationProvider1,
    'azure-disk': features.CSIMigrationProvider2,
    'azure-file': features.CSIMigrationProvider3,
    'gce-pd': features.CSIMigrationProvider4,
    cinder: features.CSIMigrationProvider5,
    'vsphere-volume': features.CSIMigrationProvider6,
  };
  return Object.entries(kinds).flatMap(([name, isOn]) => (isOn ? [name] : []));
}

/** No driver is known before it registers. */
export function makeCsi({ config, clients, nodeName, dialect, clock, logger }: CsiInputs): AgentCsi {
  const node = new CsiNode({
    client: clients?.main,
    nodeName,
    migratedPlugins: listMigrated(config.features).map((name) => dialect.label(name)),
    dialect,
    clock,
    logger,
  });
  return { drivers: new CsiDrivers({ csiNode: node, dialect, logger }), node };
}
