import { asJsonObject, asList, asText, ownValue } from '../../base/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import { asRecords } from '../describe/report.ts';
import type { WireObject } from '../resource/api-object.ts';
import { explainDeletion } from './explain-deletion.ts';
import { explainBudget, explainClaim, explainConditions, explainNode } from './explain-parts.ts';
import { explainPod } from './explain-pod.ts';
import {
  explainCronJob,
  explainDaemonSet,
  explainDeployment,
  explainJob,
  explainReplicas,
} from './explain-workload.ts';
import {
  arrangeFindings,
  eventFact,
  type Facts,
  type Finding,
  inNamespace,
  nameOf,
  warningsAbout,
} from './finding.ts';

type Explainer = (object: WireObject, facts: Facts) => readonly Finding[];

const explainers: Readonly<Record<string, Explainer>> = {
  'pods.': (pod, facts) => [...explainPod(pod, facts), ...explainBudgetsOf(pod, facts)],
  'deployments.apps': explainDeployment,
  'replicasets.apps': explainReplicas,
  'statefulsets.apps': explainReplicas,
  'replicationcontrollers.': explainReplicas,
  'daemonsets.apps': explainDaemonSet,
  'jobs.batch': explainJob,
  'cronjobs.batch': explainCronJob,
  'services.': (service, facts) => [...explainDeletion(service, facts), ...explainService(service, facts)],
  'persistentvolumeclaims.': (claim, facts) => [
    ...explainDeletion(claim, facts),
    ...explainClaim(claim, facts),
  ],
  'nodes.': (node, facts) => [...explainDeletion(node, facts), ...explainNode(node, facts)],
  'poddisruptionbudgets.policy': (budget, facts) => [
    ...explainDeletion(budget, facts),
    ...explainBudget(budget),
  ],
};

/** Why an object is not as it should be, the most important first; empty when all is well. */
export function explainObject(facts: Facts): readonly Finding[] {
  const explain = explainers[facts.type] ?? explainAny;
  return arrangeFindings(explain(facts.object, facts));
}

/** True when nothing but notes was found. */
export const isWell = (findings: readonly Finding[]): boolean =>
  findings.every(({ level }) => level === 'note');

/** Objects of all other types: deletion, conditions, the newest warning. */
function explainAny(object: WireObject, facts: Facts): readonly Finding[] {
  const [event] = warningsAbout(object, facts);
  const about = nameOf(object);
  return [
    ...explainDeletion(object, facts),
    ...explainConditions(object, facts),
    ...(event === undefined
      ? []
      : [
          {
            level: 'note',
            about,
            reason: asText(event.reason),
            message: asText(event.message),
            fact: eventFact(event, facts.nowMs),
          } as const,
        ]),
  ];
}

function explainService(service: WireObject, facts: Facts): readonly Finding[] {
  const about = nameOf(service);
  const { selector, type } = asJsonObject(service.spec);
  const labels = Object.entries(asJsonObject(selector)).map(([key, value]) => [key, asText(value)] as const);
  if (type === 'ExternalName') return [];
  if (labels.length === 0) {
    const message = 'selects no pods: its endpoints are written by somebody else';
    return [{ level: 'note', about, reason: 'NoSelector', message, fact: 'spec.selector is not set' }];
  }
  const pods = podsOf(service, selector, facts);
  const text = labels.map(([key, value]) => `${key}=${value}`).join(',');
  if (pods.length === 0) {
    const message = `selects no pods: none has the labels ${text}`;
    const next = `ctl get pods${inNamespace(service)} --show-labels`;
    return [{ level: 'cause', about, reason: 'NoPods', message, fact: 'spec.selector', next }];
  }
  const found = pods.map((pod) => explainPod(pod, facts));
  const ready = found.filter((list) => list.length === 0).length;
  const all = found.flat();
  if (ready > 0) return all.map((finding) => ({ ...finding, level: 'note' }));
  const message = `has no endpoints: none of ${pods.length} pods is ready`;
  return [...all, { level: 'effect', about, reason: 'NoEndpoints', message, fact: 'spec.selector' }];
}

/** The pods in the namespace of an object whose labels have all of these values. */
function podsOf(object: WireObject, labels: unknown, { related }: Facts): readonly WireObject[] {
  const wanted = Object.entries(asJsonObject(labels));
  return related.filter(
    ({ kind, metadata }) =>
      kind === 'Pod' &&
      metadata.namespace === object.metadata.namespace &&
      wanted.every(([key, value]) => ownValue(metadata.labels, key) === value),
  );
}

/** Budgets that keep a pod from being evicted. */
function explainBudgetsOf(pod: WireObject, facts: Facts): readonly Finding[] {
  return facts.related.filter((object) => covers(object, pod)).flatMap(explainBudget);
}

/** Whether a budget counts a pod. An empty selector takes no pods in policy/v1beta1, and all in later versions. */
function covers(budget: WireObject, pod: WireObject): boolean {
  if (budget.kind !== 'PodDisruptionBudget' || budget.metadata.namespace !== pod.metadata.namespace)
    return false;
  const { matchLabels, matchExpressions } = asJsonObject(asJsonObject(budget.spec).selector);
  const selector = labelSelectorFromObject({
    matchLabels: Object.fromEntries(
      Object.entries(asJsonObject(matchLabels)).map(([key, value]) => [key, asText(value)]),
    ),
    matchExpressions: asRecords(matchExpressions).map(({ key, operator, values }) => ({
      key: asText(key),
      operator: asText(operator),
      values: asList(values).map(asText),
    })),
  });
  if (selector.isEmpty && budget.apiVersion === 'policy/v1beta1') return false;
  return selector.matches(pod.metadata.labels);
}
