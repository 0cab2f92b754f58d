import type {
  ComponentStatus,
  ConfigMap,
  Namespace,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from '../../types/core-v1.ts';
import { ageSince } from '../age.ts';
import type { RowPrinter } from '../row-printer.ts';

/** Rows of component statuses. */
export const componentStatusPrinter: RowPrinter<ComponentStatus> = {
  cells({ metadata, conditions }) {
    const healthy = conditions?.find(({ type }) => type === 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [metadata.name ?? '', status, healthy?.message ?? '', healthy?.error ?? ''];
  },
};

/** Rows of configuration maps. */
export const configMapPrinter: RowPrinter<ConfigMap> = {
  cells: ({ metadata, data, binaryData }, { nowMs }) => [
    metadata.name ?? '',
    countKeys(data) + countKeys(binaryData),
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of namespaces. */
export const namespacePrinter: RowPrinter<Namespace> = {
  cells: ({ metadata, status }, { nowMs }) => [
    metadata.name ?? '',
    status.phase ?? '',
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of secrets. */
export const secretPrinter: RowPrinter<Secret> = {
  cells: ({ metadata, type, data }, { nowMs }) => [
    metadata.name ?? '',
    type ?? '',
    countKeys(data),
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of service accounts. */
export const serviceAccountPrinter: RowPrinter<ServiceAccount> = {
  cells: ({ metadata, secrets }, { nowMs }) => [
    metadata.name ?? '',
    secrets?.length ?? 0,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of resource quotas: limits apart from all other amounts. */
export const resourceQuotaPrinter: RowPrinter<ResourceQuota> = {
  cells({ metadata, status }, { nowMs }) {
    const requests: string[] = [];
    const limits: string[] = [];
    for (const [name, hard] of Object.entries(status.hard ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
      const text = `${name}: ${status.used?.[name] ?? '0'}/${hard}`;
      (name.startsWith('limits.') ? limits : requests).push(text);
    }
    return [
      metadata.name ?? '',
      ageSince(metadata.creationTimestamp, nowMs),
      requests.join(', '),
      limits.join(', '),
    ];
  },
};

function countKeys(map: Readonly<Record<string, string>> | undefined): number {
  return map === undefined ? 0 : Object.keys(map).length;
}
