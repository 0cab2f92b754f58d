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

/** Built-in kinds of volumes, and the gates that leave them to drivers. */
const migrations = [
  ['CSIMigrationProvider1', 'aws-ebs'],
  ['CSIMigrationProvider2', 'azure-disk'],
  ['CSIMigrationProvider3', 'azure-file'],
  ['CSIMigrationProvider4', 'gce-pd'],
  ['CSIMigrationProvider5', 'cinder'],
  ['CSIMigrationProvider6', 'vsphere-volume'],
] as const;

/** No driver is known before it registers. */
export function makeCsi({ config, clients, nodeName, dialect, clock, logger }: CsiInputs): AgentCsi {
  const { features } = config;
  const migrated = migrations.filter(([gate]) => features.CSIMigration && features[gate]);
  const node = new CsiNode({
    client: clients?.main,
    nodeName,
    migratedPlugins: migrated.map(([, name]) => dialect.label(name)),
    dialect,
    clock,
    logger,
  });
  return { drivers: new CsiDrivers({ csiNode: node, dialect, logger }), node };
}
