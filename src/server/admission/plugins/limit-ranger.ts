import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '../../../apis/types/core-v1.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { objectsOf, podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';
import {
  type Bound,
  largerAmounts,
  maximumProblem,
  maximumRequestProblem,
  minimumProblem,
  type ResourceAmounts,
  ratioProblem,
  sumAmounts,
  type Usage,
} from './limit-constraints.ts';

/**
 * Gives containers of new pods the requests and limits that a namespace's limit ranges prescribe, and keeps pods and
 * claims within their bounds. Source: release 1.20, `limitranger`.
 */
export function limitRanger({ dialect, read }: PluginSources): AdmissionPlugin {
  const annotation = dialect.label('limit-ranger');
  const rangesFor = ({ namespace }: AdmissionAttributes) =>
    read.list<LimitRange>('', 'limitranges', namespace);

  return {
    name: 'LimitRanger',
    handles: onOperations('CREATE', 'UPDATE'),
    admit(attributes) {
      const pod = newPodOf(attributes);
      if (pod === undefined) return;
      for (const range of rangesFor(attributes)) setDefaults(pod, range, annotation);
    },
    validate(attributes) {
      const find = problemsIn(attributes);
      if (find === undefined) return;
      for (const { spec } of rangesFor(attributes)) {
        // What several containers do wrong is said once.
        const problems = [...new Set((spec.limits ?? []).flatMap(find))];
        if (problems.length === 0) continue;
        const [only] = problems;
        throw refuse(attributes, problems.length === 1 && only ? only : `[${problems.join(', ')}]`);
      }
    },
  };
}

/** Resources of a pod cannot change, so that only new ones are looked at. */
const newPodOf = (attributes: AdmissionAttributes): Pod | undefined =>
  attributes.operation === 'CREATE' ? podOf(attributes) : undefined;

/** How the object is checked against one item of a limit range; undefined when it is not. */
function problemsIn(attributes: AdmissionAttributes): ((item: LimitRangeItem) => string[]) | undefined {
  const { resource, subresource } = attributes;
  const pod = newPodOf(attributes);
  if (pod !== undefined) return (item) => podProblems(item, pod);
  if (resource.resource !== 'persistentvolumeclaims' || resource.group !== '' || subresource !== '') {
    return undefined;
  }
  if (attributes.oldObject?.metadata.deletionTimestamp) return undefined;
  const { object: claim } = objectsOf<PersistentVolumeClaim>(attributes);
  return claim && ((item) => claimProblems(item, claim));
}

function setDefaults({ metadata, spec }: Pod, range: LimitRange, annotation: string): void {
  const defaults = defaultsOf(range);
  const notes = [
    ...(spec.containers ?? []).flatMap((container) => fill(container, defaults, 'container')),
    ...(spec.initContainers ?? []).flatMap((container) => fill(container, defaults, 'init container')),
  ];
  if (notes.length === 0) return;
  metadata.annotations = {
    ...metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
}

function defaultsOf({ spec }: LimitRange): Usage {
  const items = (spec.limits ?? []).filter(({ type }) => type === 'Container');
  return {
    requests: Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)),
    limits: Object.assign({}, ...items.map((item) => item.default)),
  };
}

/** Fills in what a container leaves out; a note for each of requests and limits that were set. */
function fill(container: Container, defaults: Usage, what: string): string[] {
  const { resources } = container;
  const notes: string[] = [];
  for (const field of ['requests', 'limits'] as const) {
    const given = resources[field] ?? {};
    const missing = Object.entries(defaults[field]).filter(([name]) => !Object.hasOwn(given, name));
    if (missing.length === 0) continue;
    resources[field] = { ...given, ...Object.fromEntries(missing) };
    const names = missing.map(([name]) => name).sort();
    notes.push(`${names.join(', ')} ${field.slice(0, -1)} for ${what} ${container.name}`);
  }
  return notes;
}

function podProblems(item: LimitRangeItem, { spec }: Pod): string[] {
  const containers = (spec.containers ?? []).map(usageOf);
  const initContainers = (spec.initContainers ?? []).map(usageOf);
  if (item.type === 'Container') {
    return [...containers, ...initContainers].flatMap((usage) => usageProblems(item, usage));
  }
  return item.type === 'Pod' ? usageProblems(item, podUsage(containers, initContainers)) : [];
}

function usageOf({ resources }: Container): Usage {
  return { requests: resources.requests ?? {}, limits: resources.limits ?? {} };
}

/** All containers run at once, init containers one by one before them. */
function podUsage(containers: readonly Usage[], initContainers: readonly Usage[]): Usage {
  const total = (field: keyof Usage): ResourceAmounts =>
    initContainers.reduce<ResourceAmounts>(
      (largest, usage) => largerAmounts(largest, usage[field]),
      sumAmounts(containers.map((usage) => usage[field])),
    );
  return { requests: total('requests'), limits: total('limits') };
}

function usageProblems({ type, min, max, maxLimitRequestRatio }: LimitRangeItem, usage: Usage): string[] {
  return [
    ...check(type, min, (bound) => minimumProblem(bound, usage)),
    ...check(type, max, (bound) => maximumProblem(bound, usage)),
    ...check(type, maxLimitRequestRatio, (bound) => ratioProblem(bound, usage)),
  ];
}

function claimProblems({ type, min, max }: LimitRangeItem, { spec }: PersistentVolumeClaim): string[] {
  if (type !== 'PersistentVolumeClaim') return [];
  const usage: Usage = { requests: spec.resources.requests ?? {}, limits: {} };
  return [
    ...check(type, min, (bound) => minimumProblem(bound, usage)),
    ...check(type, max, (bound) => maximumRequestProblem(bound, usage)),
  ];
}

function check(
  type: string,
  amounts: ResourceAmounts | undefined,
  problemOf: (bound: Bound) => string | undefined,
): string[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => problemOf({ type, name, amount }) ?? []);
}
