import type { Dialect } from '../../../machinery/dialect.ts';
import { formatGroupVersion } from '../../../machinery/schema/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';

const kinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/**
 * The options of a request as webhooks are shown them: those of a patch are an update's, or a creation's; connections
 * have none.
 */
export function optionsOf(attributes: AdmissionAttributes, dialect: Dialect): object | undefined {
  const { operation, isDryRun, request, deleteOptions } = attributes;
  if (operation === 'CONNECT') return undefined;
  return {
    kind: kinds[operation],
    apiVersion: formatGroupVersion(dialect.group('meta'), 'v1'),
    ...deletion(deleteOptions),
    dryRun: isDryRun ? ['All'] : undefined,
    fieldManager: operation === 'DELETE' ? undefined : request?.fieldManager || undefined,
  };
}

function deletion(options: AdmissionAttributes['deleteOptions']): object {
  if (options === undefined) return {};
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy } = options;
  return { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy };
}
