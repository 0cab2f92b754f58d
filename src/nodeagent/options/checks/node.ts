import {
  isDns1123Subdomain,
  isLabelValue,
  isQualifiedName,
  parseIp,
} from '../../../machinery/formats/index.ts';
import type { CheckContext } from '../check-context.ts';
import known from '../node-labels.json' with { type: 'json' };
import type { AgentProblem } from '../problem.ts';
import { createProblem, forServerOnly, runProblem } from './sentence.ts';

/** Name, addresses and labels of the node. */
export function checkNode(context: CheckContext): AgentProblem[] {
  return [
    ...checkName(context.values.hostnameOverride),
    ...checkAddresses(context),
    ...checkLabels(context),
    ...checkTaints(context),
  ];
}

function checkName(text: string): AgentProblem[] {
  const name = text.trim().toLowerCase();
  const flag = '--hostname-override';
  if (name === '') return text === '' ? [] : [{ text: 'empty hostname is invalid', names: [flag] }];
  return isDns1123Subdomain(name).map((problem) =>
    forServerOnly(createProblem(`invalid node name "${text}": ${problem}`, flag)),
  );
}

function checkAddresses({ values, features }: CheckContext): AgentProblem[] {
  const { nodeIps, cloudProvider } = values;
  const written = `--node-ip "${nodeIps.join(',')}"`;
  const families = new Set(nodeIps.map((text) => text.includes(':')));
  const bad = nodeIps.find((text) => parseIp(text) === undefined);
  if (bad !== undefined)
    return [forServerOnly(runProblem(`bad ${written}: "${bad}" is not a valid IP address`))];
  if (nodeIps.length > 1 && !features.IPv6DualStack) {
    return [runProblem(`dual-stack ${written} not supported in a single-stack cluster`)];
  }
  if (nodeIps.length > 2 || (nodeIps.length === 2 && families.size === 1)) {
    return [runProblem(`bad ${written}; must contain either a single IP or a dual-stack pair of IPs`)];
  }
  if (nodeIps.length === 2 && cloudProvider !== '') {
    return [runProblem(`dual-stack ${written} not supported when using a cloud provider`)];
  }
  if (nodeIps.length === 2 && nodeIps.some((text) => text === '0.0.0.0' || text === '::')) {
    return [runProblem(`dual-stack ${written} cannot include '0.0.0.0' or '::'`)];
  }
  return [];
}

function checkLabels({ values, dialect }: CheckContext): AgentProblem[] {
  const labels = Object.entries(values.nodeLabels);
  const malformed = labels.flatMap(([key, value]) =>
    [...isQualifiedName(key), ...isLabelValue(value)].map((text) =>
      forServerOnly(runProblem(`invalid label "${key}=${value}": ${text}`, '--node-labels')),
    ),
  );
  const domain = dialect.label('').slice(0, -1);
  const groupDomain = dialect.group('node').slice('node.'.length);
  // With its slash it is the prefix of a label, without it could be a group.
  const prefixes = known.prefixes.map((prefix) => dialect.spell(`${prefix}/`).slice(0, -1));
  const names = known.names.map((name) => dialect.spell(name));
  const foreign = labels
    .map(([key]) => key)
    .filter((key) => {
      const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
      return (
        (isWithin(prefix, domain) || isWithin(prefix, groupDomain)) &&
        !prefixes.some((allowed) => isWithin(prefix, allowed)) &&
        !names.includes(key)
      );
    });
  if (foreign.length === 0) return malformed;
  const text = `unknown '${domain}' or '${groupDomain}' labels specified with --node-labels: [${foreign.sort().join(' ')}]
--node-labels in the '${domain}' namespace must begin with an allowed prefix (${prefixes.join(', ')}) or be in the specifically allowed set (${names.join(', ')})`;
  return [...malformed, { text, names: [] }];
}

function checkTaints({ values }: CheckContext): AgentProblem[] {
  return values.registerWithTaints
    .filter(({ effect }) => effect === '')
    .map(({ key }) =>
      forServerOnly(runProblem(`invalid taint spec: ${key}: it has no effect`, '--register-with-taints')),
    );
}

/** The domain itself, or one below it. */
function isWithin(prefix: string, domain: string): boolean {
  return prefix === domain || prefix.endsWith(`.${domain}`);
}
