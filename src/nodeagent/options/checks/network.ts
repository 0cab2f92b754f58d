import { parseCidr, parseIp } from '../../../machinery/formats/index.ts';
import type { CheckContext } from '../check-context.ts';
import type { AgentProblem } from '../problem.ts';
import { configurationProblem, forServerOnly, runProblem } from './sentence.ts';

/** An IPv6 range with more addresses than 2^16 is refused. */
const longestHostBits = 16;
const ipv6Bits = 128;

/** Networks of pods; another runtime than the one that they are for does without. */
const networkPlugins: readonly string[] = ['', 'noop', 'cni', 'orchnet'];

/** Addresses, ranges of addresses, and who makes the network of pods. */
export function checkNetwork({ values, dialect }: CheckContext): AgentProblem[] {
  const problems: AgentProblem[] = [];
  const isKnown = networkPlugins.includes(dialect.unspell(values.networkPlugin));
  if (values.containerRuntime === 'legacyrt' && !isKnown) {
    problems.push({
      ...runProblem(`network plugin "${values.networkPlugin}" not found`, '--network-plugin'),
      advice: `one of cni, ${dialect.spell('orchnet')}`,
    });
  }
  const addresses = [
    { field: 'address', flag: '--address', text: values.address },
    { field: 'healthzBindAddress', flag: '--healthz-bind-address', text: values.healthzBindAddress },
  ];
  for (const { field, flag, text } of addresses) {
    if (parseIp(text) === undefined) {
      problems.push(configurationProblem(`${field} (${flag}) "${text}" is not a valid IP address`));
    }
  }
  const ranges: AgentProblem[] = values.podCidr === '' ? [] : checkPodCidr(values.podCidr);
  if (parseCidr(values.nonMasqueradeCidr) === undefined) {
    ranges.push({
      text: `--non-masquerade-cidr "${values.nonMasqueradeCidr}" is not a range of addresses such as 10.0.0.0/8`,
      names: [],
    });
  }
  // The agent's own network is made from them.
  const isOwnNetwork = dialect.unspell(values.networkPlugin) === 'orchnet';
  return [...problems, ...(isOwnNetwork ? ranges : ranges.map(forServerOnly))];
}

function checkPodCidr(text: string): AgentProblem[] {
  const option = `podCIDR (--pod-cidr) "${text}"`;
  const [address = '', bits = ''] = text.split('/');
  if (parseCidr(text) === undefined)
    return [configurationProblem(`${option} is not a range of addresses such as 10.1.0.0/16`)];
  if (!address.includes(':') || ipv6Bits - Number(bits) <= longestHostBits) return [];
  return [
    configurationProblem(
      `${option} has more than 65536 addresses; give an IPv6 range of /${ipv6Bits - longestHostBits} or smaller`,
    ),
  ];
}

/** Values that the agent goes on without. */
export function networkWarnings({ values }: CheckContext): string[] {
  return values.clusterDns
    .filter((text) => parseIp(text) === undefined)
    .map((text) => `Invalid clusterDNS ip '${text}' (--cluster-dns): it is left out`);
}
