import type { Pod } from '../../../apis/types/core-v1.ts';
import type { PriorityClass } from '../../../apis/types/scheduling-v1.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

type Resolved = Pick<PriorityClass, 'value' | 'preemptionPolicy'> & { readonly name: string };

const noClass: Resolved = { name: '', value: 0, preemptionPolicy: 'PreemptLowerPriority' };

/**
 * Gives new pods the priority and preemption policy of their class, of the default class, or zero; keeps them on an
 * update; and lets one class at most be the default.
 */
export function priority({ dialect, read, gates }: PluginSources): AdmissionPlugin {
  const group = dialect.group('scheduling');
  const classNamed = (name: string) => read.get<PriorityClass>(group, 'priorityclasses', '', name);
  const classes = () => read.list<PriorityClass>(group, 'priorityclasses');

  return {
    name: 'Priority',
    handles: onOperations('CREATE', 'UPDATE'),
    admit(attributes) {
      if (attributes.isRepeated === true) return;
      const pod = podOf(attributes);
      if (pod === undefined) return;
      if (attributes.operation === 'UPDATE') keepPriority(pod, attributes.oldObject as Pod);
      else {
        const { preemptionPolicy, ...found } = resolveClass(attributes, pod);
        const isKnown = gates.has('NonPreemptingPriority');
        setPriority(attributes, pod, { ...found, preemptionPolicy: isKnown ? preemptionPolicy : undefined });
      }
    },
    validate(attributes) {
      const { resource, subresource, operation } = attributes;
      if (resource.resource !== 'priorityclasses' || resource.group !== group || subresource !== '') return;
      const changed = attributes.object as PriorityClass; // the resource holds nothing else
      if (changed.globalDefault !== true) return;
      const current = defaultClass(classes());
      if (current === undefined) return;
      if (operation === 'UPDATE' && current.metadata.name === changed.metadata.name) return;
      throw refuse(
        attributes,
        `PriorityClass ${current.metadata.name} is already marked as default. Only one default can exist`,
      );
    },
  };

  function resolveClass(attributes: AdmissionAttributes, pod: Pod): Resolved {
    const name = pod.spec.priorityClassName ?? '';
    const found = name === '' ? defaultClass(classes()) : classNamed(name);
    if (found !== undefined) {
      const { metadata, value, preemptionPolicy } = found;
      return { name: metadata.name ?? '', value, preemptionPolicy };
    }
    if (name === '') return noClass;
    throw refuse(attributes, `no PriorityClass with name ${name} was found`);
  }
}

/** The default class with the lowest value: an old server may have let in several. */
function defaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  let lowest: PriorityClass | undefined;
  for (const candidate of classes) {
    if (candidate.globalDefault !== true) continue;
    if (lowest === undefined || candidate.value < lowest.value) lowest = candidate;
  }
  return lowest;
}

/** Validation lets nobody change these; an update that leaves them out means the same as before. */
function keepPriority({ spec }: Pod, { spec: old }: Pod): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    spec.preemptionPolicy = old.preemptionPolicy;
  }
}

function setPriority(attributes: AdmissionAttributes, { spec }: Pod, found: Resolved): void {
  const { value, preemptionPolicy } = found;
  if (found.name !== '') spec.priorityClassName = found.name;
  if (typeof spec.priority === 'number' && spec.priority !== value) {
    throw refuse(
      attributes,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  if (preemptionPolicy === undefined) return;
  if (typeof spec.preemptionPolicy === 'string' && spec.preemptionPolicy !== preemptionPolicy) {
    throw refuse(
      attributes,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = preemptionPolicy;
}
