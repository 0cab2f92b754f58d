import type { Pod } from '../../../apis/types/core-v1.ts';
import type { RuntimeClass } from '../../../apis/types/node-v1beta1.ts';
import { deepEqual, nameIsPathSegment } from '../../../apis/validation/index.ts';
import { ownValue } from '../../../base/index.ts';
import { otherFailure, quoteGo } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';
import { mergeTolerations } from './merge-tolerations.ts';

/** Copies the overhead and the scheduling of a pod's runtime class into the pod, and refuses a pod that differs. */
export function runtimeClass({ dialect, read, gates }: PluginSources): AdmissionPlugin {
  const hasOverhead = gates.has('PodOverhead');
  const group = dialect.group('node');

  function classOf(attributes: AdmissionAttributes, { spec }: Pod): RuntimeClass | undefined {
    const name = spec.runtimeClassName;
    if (typeof name !== 'string') return undefined;
    const found = read.get<RuntimeClass>(group, 'runtimeclasses', '', name);
    if (found !== undefined) return found;
    // A class that is not known yet is asked for, which not every name can be.
    if (name === '') throw otherFailure(500, '', 'resource name may not be empty');
    const faults = nameIsPathSegment(name, false);
    if (faults.length > 0) {
      throw otherFailure(500, '', `invalid resource name ${quoteGo(name)}: [${faults.join(' ')}]`);
    }
    throw refuse(attributes, `pod rejected: RuntimeClass ${quoteGo(name)} not found`);
  }

  return {
    name: 'RuntimeClass',
    handles: onOperations('CREATE'),
    admit(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      const found = classOf(attributes, pod);
      if (hasOverhead && found?.overhead !== undefined) setOverhead(attributes, pod, found.overhead.podFixed);
      if (found?.scheduling === undefined) return;
      const { nodeSelector, tolerations } = found.scheduling;
      if (nodeSelector !== undefined) mergeNodeSelector(attributes, pod, nodeSelector);
      const merged = mergeTolerations(pod.spec.tolerations ?? [], tolerations ?? []);
      if (merged.length > 0) pod.spec.tolerations = merged;
    },
    validate(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      const found = classOf(attributes, pod);
      if (!hasOverhead) return;
      if (found?.overhead !== undefined) {
        if (!deepEqual(found.overhead.podFixed, pod.spec.overhead)) throw overheadDiffers(attributes);
      } else if (Object.keys(pod.spec.overhead ?? {}).length > 0) {
        throw refuse(
          attributes,
          'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
        );
      }
    },
  };
}

function setOverhead(
  attributes: AdmissionAttributes,
  { spec }: Pod,
  overhead: Record<string, string> | undefined,
): void {
  if (spec.overhead !== undefined && !deepEqual(overhead, spec.overhead)) throw overheadDiffers(attributes);
  if (overhead !== undefined) spec.overhead = { ...overhead };
}

const overheadDiffers = (attributes: AdmissionAttributes) =>
  refuse(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");

function mergeNodeSelector(
  attributes: AdmissionAttributes,
  { spec }: Pod,
  wanted: Readonly<Record<string, string>>,
): void {
  const given = spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(wanted)) {
    const own = ownValue(given, key);
    if (own === undefined || own === value) continue;
    throw refuse(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
    );
  }
  spec.nodeSelector = { ...given, ...wanted };
}
