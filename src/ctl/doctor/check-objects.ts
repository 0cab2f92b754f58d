import { asJsonObject, asList, asText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { asRecords } from '../describe/report.ts';
import type { WireObject } from '../resource/api-object.ts';
import { conditionOf, nameOf } from '../why/finding.ts';
import { checkVersions, type Finding } from './finding.ts';

/** What objects are judged by. */
export interface ClusterFacts {
  readonly dialect: Dialect;
  readonly nowMs: number;
  readonly serverVersion: string;
  /** Services as `NAMESPACE/NAME`; undefined when they cannot be read. */
  readonly services: ReadonlySet<string> | undefined;
}

/** Nothing takes longer, unless somebody has to do something. */
const patienceMs = 10 * 60 * 1000;

/** Judges of objects by `resource.group`. Each returns what is wrong; nothing when all is well. */
export const objectChecks: Readonly<
  Record<string, (object: WireObject, facts: ClusterFacts) => readonly Finding[]>
> = {
  'nodes.': checkNode,
  'namespaces.': checkNamespace,
  'certificatesigningrequests.certificates': checkRequest,
  'apiservices.apiregistration': checkApiService,
  'customresourcedefinitions.apiextensions': checkDefinition,
  'validatingwebhookconfigurations.admissionregistration': checkWebhooks,
  'mutatingwebhookconfigurations.admissionregistration': checkWebhooks,
};

function checkNode(node: WireObject, { serverVersion, dialect }: ClusterFacts): readonly Finding[] {
  const about = nameOf(node);
  const next = `ctl describe ${about}`;
  const { nodeInfo } = asJsonObject(node.status);
  const findings: Finding[] = [];
  const ready = conditionOf(node, 'Ready');
  if (ready?.status !== 'True') {
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

function checkNamespace({ metadata }: WireObject, { nowMs }: ClusterFacts): readonly Finding[] {
  const { name = '', deletionTimestamp } = metadata;
  if (!deletionTimestamp || nowMs - Date.parse(deletionTimestamp) < patienceMs) return [];
  const about = `namespace/${name}`;
  const message = `is being deleted since ${deletionTimestamp}`;
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

/** A webhook that must be asked and whose service is gone refuses every request that it is for. */
function checkWebhooks(configuration: WireObject, { services }: ClusterFacts): readonly Finding[] {
  const about = nameOf(configuration);
  return asRecords(configuration.webhooks).flatMap(({ name, clientConfig, failurePolicy }) => {
    const { namespace, name: service } = asJsonObject(asJsonObject(clientConfig).service);
    const key = `${asText(namespace)}/${asText(service)}`;
    if (service === undefined || services === undefined || services.has(key)) return [];
    const isFatal = failurePolicy !== 'Ignore';
    const effect = isFatal ? 'requests that it is for are refused' : 'it is passed over';
    const message = `webhook ${asText(name)} needs service ${key}, which is not there: ${effect}`;
    return [{ level: isFatal ? 'failure' : 'warning', about, message } as const];
  });
}
