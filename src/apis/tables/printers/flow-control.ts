import type { FlowSchema, PriorityLevelConfiguration } from '../../types/flowcontrol-apiserver-v1beta1.ts';
import { ageSince } from '../age.ts';
import { orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

const none = '<none>';

/** Rows of flow schemas, in the order in which they are tried. */
export const flowSchemaPrinter: RowPrinter<FlowSchema> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    spec.priorityLevelConfiguration.name,
    spec.matchingPrecedence,
    orNone(spec.distinguisherMethod?.type),
    ageSince(metadata.creationTimestamp, nowMs),
    status.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ],
  compare(a, b) {
    const difference = a.spec.matchingPrecedence - b.spec.matchingPrecedence;
    if (difference !== 0) return difference;
    return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
  },
};

/** Rows of priority levels. */
export const priorityLevelPrinter: RowPrinter<PriorityLevelConfiguration> = {
  cells({ metadata, spec }, { nowMs }) {
    const queuing = spec.limited?.limitResponse.queuing;
    return [
      metadata.name ?? '',
      spec.type,
      spec.limited?.assuredConcurrencyShares ?? none,
      queuing?.queues ?? none,
      queuing?.handSize ?? none,
      queuing?.queueLengthLimit ?? none,
      ageSince(metadata.creationTimestamp, nowMs),
    ];
  },
};
