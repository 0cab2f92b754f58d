import type { Dialect } from '../../machinery/dialect.ts';
import { formatGroupResource, type GroupResource } from '../../machinery/schema/index.ts';
import { integerQuantity, parseQuantity, type Quantity, roundTo } from '../../machinery/values/index.ts';
import { storageClassName } from '../core/storage-class-name.ts';
import type { PersistentVolumeClaim, Service } from '../types/core-v1.ts';
import type { Amounts } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';

/** What evaluators are made from. */
export interface EvaluatorSources {
  readonly dialect: Dialect;
  readonly nowMs: () => number;
}

/** By group: events, which are many and short-lived, and what is never stored. Release 1.20 counts none of them. */
const ignoredResources: Readonly<Record<string, readonly string[]>> = {
  '': ['bindings', 'componentstatuses', 'events'],
  authentication: ['tokenreviews'],
  authorization: [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
  events: ['events'],
};

const isIgnored = ({ group, resource }: GroupResource, dialect: Dialect): boolean =>
  Object.entries(ignoredResources).some(
    ([name, resources]) => group === (name === '' ? '' : dialect.group(name)) && resources.includes(resource),
  );

/** Resources of the core group that quotas also count under their plain name. */
const plainlyCounted: ReadonlySet<string> = new Set([
  'configmaps',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
]);

/** Resources that count under names that do not tell them. */
const namedResources: readonly GroupResource[] = [
  'pods',
  'services',
  'persistentvolumeclaims',
  ...plainlyCounted,
].map((resource) => ({ group: '', resource }));

/** The resources whose objects may use what a quota bounds under these names, each once. They need not be served. */
export function resourcesOfNames(
  names: readonly string[],
  evaluatorOf: (resource: GroupResource) => Evaluator,
): GroupResource[] {
  const counted = names.flatMap((name) => {
    const [, resource, group = ''] = /^count\/([^./]+)(?:\.(.+))?$/.exec(name) ?? [];
    return resource === undefined ? [] : [{ group, resource }];
  });
  const others = counted.filter(
    ({ group, resource }) =>
      !namedResources.some((named) => named.group === group && named.resource === resource),
  );
  return [...namedResources, ...others].filter((resource) =>
    names.some((name) => evaluatorOf(resource).matches(name)),
  );
}

const zero = integerQuantity(0);
const one = integerQuantity(1);

/** How a resource counts; of resources that nobody knows, custom ones too, the objects are counted. */
export function evaluatorFor(resource: GroupResource, { dialect, nowMs }: EvaluatorSources): Evaluator {
  if (resource.group === '') {
    if (resource.resource === 'pods') return podEvaluator(dialect, nowMs);
    if (resource.resource === 'services') return serviceEvaluator;
    if (resource.resource === 'persistentvolumeclaims') return claimEvaluator(dialect);
  }
  if (isIgnored(resource, dialect)) return ignoring;
  const names = [`count/${formatGroupResource(resource)}`];
  if (resource.group === '' && plainlyCounted.has(resource.resource)) names.push(resource.resource);
  const usage: Amounts = new Map(names.map((name) => [name, one]));
  return {
    ...withoutScopes,
    handles: (operation) => operation === 'CREATE',
    matches: (name) => names.includes(name),
    usage: () => usage,
  };
}

/** Scopes are of pods: a quota that has one matches nothing else. */
const withoutScopes: Pick<Evaluator, 'missing' | 'isInScope'> = {
  missing: () => [],
  isInScope: () => false,
};

const ignoring: Evaluator = {
  ...withoutScopes,
  handles: () => false,
  matches: () => false,
  usage: () => new Map(),
};

const serviceNames = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

const serviceEvaluator: Evaluator = {
  ...withoutScopes,
  handles: () => true,
  matches: (name) => serviceNames.includes(name),
  usage({ spec }: Service) {
    const isBalanced = spec.type === 'LoadBalancer';
    const ports = isBalanced || spec.type === 'NodePort' ? (spec.ports?.length ?? 0) : 0;
    return new Map([
      ['count/services', one],
      ['services', one],
      ['services.nodeports', integerQuantity(ports)],
      ['services.loadbalancers', isBalanced ? one : zero],
    ]);
  },
};

const claimNames = ['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage'];

/** Of claims: how many there are and what they ask for, in all and by storage class. */
function claimEvaluator(dialect: Dialect): Evaluator {
  const infix = `.storageclass.${dialect.group('storage')}/`;
  return {
    ...withoutScopes,
    handles: () => true,
    matches: (name) => claimNames.some((known) => name === known || name.endsWith(infix + known)),
    usage(claim: PersistentVolumeClaim) {
      const { spec } = claim;
      const ofClass = storageClassName(claim, dialect);
      const used = new Map<string, Quantity>([
        ['count/persistentvolumeclaims', one],
        ['persistentvolumeclaims', one],
      ]);
      if (ofClass !== '') used.set(`${ofClass}${infix}persistentvolumeclaims`, one);
      const asked = spec.resources?.requests?.storage;
      if (asked === undefined) return used;
      const storage = wholeBytes(parseQuantity(asked));
      used.set('requests.storage', storage);
      if (ofClass !== '') used.set(`${ofClass}${infix}requests.storage`, storage);
      return used;
    },
  };
}

const wholeBytes = (quantity: Quantity): Quantity => (quantity.scale >= 0 ? quantity : roundTo(quantity, 0));
