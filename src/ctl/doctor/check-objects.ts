import { asJsonObject, asList, asText } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';
import { conditionOf, conditionsOf, nameOf } from '../why/finding.ts';
import { calleeSources } from './callees.ts';
import { checkCallee } from './check-callee.ts';
import { checkLease } from './check-lease.ts';
import type { ClusterFacts } from './facts.ts';
import { checkVersions, type Finding, patienceMs } from './finding.ts';

type ObjectCheck = (object: WireObject, facts: ClusterFacts) => readonly Finding[];

/** Judges of objects by `resource.group`. Each returns what is wrong, or worth knowing; nothing when all is well. */
export const objectChecks: Readonly<Record<string, ObjectCheck>> = {
  'nodes.': checkNode,
  'leases.coordination': checkLease,
  'namespaces.': checkNamespace,
  'certificatesigningrequests.certificates': checkRequest,
  'apiservices.apiregistration': checkApiService,
  'customresourcedefinitions.apiextensions': checkDefinition,
  'validatingwebhookconfigurations.admissionregistration': () => [],
  'mutatingwebhookconfigurations.admissionregistration': () => [],
};

/** Judges an object, and who is called on its account. */
export function checkObject(type: string, object: WireObject, facts: ClusterFacts): readonly Finding[] {
  const callees = calleeSources[type]?.(object) ?? [];
  return [
    ...(objectChecks[type]?.(object, facts) ?? []),
    ...callees.flatMap((callee) => checkCallee(callee, facts.backends, facts.nowMs)),
  ];
}

/** Whether a node can take pods. */
export const isReady = (node: WireObject): boolean => conditionOf(node, 'Ready')?.status === 'True';

function checkNode(node: WireObject, { serverVersion, dialect }: ClusterFacts): readonly Finding[] {
  const about = nameOf(node);
  const next = `ctl describe ${about}`;
  const { nodeInfo } = asJsonObject(node.status);
  const findings: Finding[] = [];
  const ready = conditionOf(node, 'Ready');
  if (!isReady(node)) {
    const why =
      ready === undefined ? 'its agent never reported' : asText(ready.message) || asText(ready.reason);
    findings.push({ level: 'failure', about, message: `is not ready: ${why}`, next });
  }
  for (const type of ['DiskPressure', 'MemoryPressure', 'PIDPressure', 'NetworkUnavailable']) {
    const condition = conditionOf(node, type);
    if (condition?.status === 'True')
      findings.push({ level: 'failure', about, message: `${type}: ${asText(condition.message)}`, next });
  }
  const agent = asText(asJsonObject(nodeInfo)[dialect.spell('nodeAgentVersion')]);
  const skew = checkVersions(about, agent, serverVersion);
  if (agent !== '' && skew.level !== 'ok') findings.push(skew);
  return findings;
}

function checkNamespace(namespace: WireObject, { nowMs }: ClusterFacts): readonly Finding[] {
  const { name = '', deletionTimestamp } = namespace.metadata;
  if (!deletionTimestamp || nowMs - Date.parse(deletionTimestamp) < patienceMs) return [];
  const about = `namespace/${name}`;
  const reasons = conditionsOf(namespace)
    .filter(({ status }) => status === 'True')
    .map(({ message }) => asText(message));
  const message = [`is being deleted since ${deletionTimestamp}`, ...reasons].join('; ');
  return [{ level: 'warning', about, message, next: `ctl why ${about}` }];
}

function checkRequest(request: WireObject, { nowMs }: ClusterFacts): readonly Finding[] {
  const { name = '', creationTimestamp } = request.metadata;
  const isDecided = asList(asJsonObject(request.status).conditions).length > 0;
  if (isDecided || nowMs - Date.parse(creationTimestamp ?? '') < patienceMs) return [];
  const about = `certificatesigningrequest/${name}`;
  const message = `waits for a decision since ${creationTimestamp}`;
  return [{ level: 'warning', about, message, next: `ctl certificate approve ${name}` }];
}

function checkApiService(service: WireObject): readonly Finding[] {
  const available = conditionOf(service, 'Available');
  if (available === undefined || available.status === 'True') return [];
  const about = nameOf(service);
  const message = `is not available: ${asText(available.message)}`;
  return [{ level: 'failure', about, message, next: `ctl describe ${about}` }];
}

function checkDefinition(definition: WireObject): readonly Finding[] {
  const about = nameOf(definition);
  return (['Established', 'NamesAccepted'] as const).flatMap((type) => {
    const condition = conditionOf(definition, type);
    if (condition?.status === 'True') return [];
    const why = condition === undefined ? 'nobody has looked at it' : asText(condition.message);
    return [{ level: 'failure', about, message: `${type} is not true: ${why}` } as const];
  });
}
