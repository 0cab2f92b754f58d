import type { Dialect } from '../../../machinery/dialect.ts';
import { networkContains, parseIp } from '../../../machinery/formats/index.ts';
import type { RunProgram } from '../../host/index.ts';
import type { BridgeLink } from './bridge-link.ts';
import type { PodRange } from './network-config.ts';

type Rule = readonly string[];

/** Where the bridge's own packets to pods pass. */
const entry = 'OUTPUT';

/** The chain of the agent's rules. */
const dedupChain = (dialect: Dialect): string => dialect.spell('orch-dedup').toUpperCase();

/**
 * Rules of `ebtables` against duplicates: a promiscuous bridge delivers a packet to the pod's port and also takes it in
 * itself, from where it is routed to the pod again. Frames with the bridge's MAC address may leave it only when they
 * come from the gateway's address.
 */
export function dedupRules({ mac, addresses }: BridgeLink, ranges: readonly PodRange[]): readonly Rule[] {
  const families = addresses.flatMap(({ text }) => {
    const address = parseIp(text);
    const range = address && ranges.find(({ network }) => networkContains(network, address));
    if (address === undefined || range === undefined) return [];
    const [protocol, source] = address.family === 4 ? ['IPv4', '--ip-src'] : ['IPv6', '--ip6-src'];
    const common = ['-p', protocol, '-s', mac, '-o', 'veth+', source];
    return [{ accept: [...common, text, '-j', 'ACCEPT'], drop: [...common, range.text, '-j', 'DROP'] }];
  });
  return [...families.map(({ accept }) => accept), ...families.map(({ drop }) => drop)];
}

/** Whether a listing (`ebtables -L`) has the chain with that number of rules, and a jump to it. */
export function hasDedupRules(listing: string, chain: string, count: number): boolean {
  const [, ofEntry = ''] = listing.split(new RegExp(`^Bridge chain: ${entry}\\b`, 'm'));
  const [ownPart = ''] = ofEntry.split(/^Bridge chain: /m);
  return ownPart.includes(`-j ${chain}`) && listing.includes(`Bridge chain: ${chain}, entries: ${count},`);
}

/** How `ebtables` is run; the dialect names its chain. */
export interface DedupOptions {
  readonly dialect: Dialect;
  readonly run: RunProgram;
}

/** Whether this machine has `ebtables`. */
export const hasEbtables = async (run: RunProgram): Promise<boolean> =>
  (await run('ebtables', ['--version'])).code === 0;

/** Puts the rules in the place of former ones. @throws Error when `ebtables` refuses */
export async function settleDedupRules(
  rules: readonly Rule[],
  { dialect, run }: DedupOptions,
): Promise<void> {
  const chain = dedupChain(dialect);
  const ebtables = openEbtables(run);
  await ebtables('-N', chain); // Fails where it exists already.
  for (const args of [['-F', chain], ...rules.map((rule) => ['-A', chain, ...rule])]) {
    const { code, output } = await ebtables(...args);
    if (code !== 0) throw new Error(`ebtables ${args.join(' ')}: ${output}`);
  }
  if (!hasDedupRules((await ebtables('-L')).output, chain, rules.length))
    await ebtables('-A', entry, '-j', chain);
}

/** Whether the rules are still there. */
export async function keepsDedupRules(count: number, { dialect, run }: DedupOptions): Promise<boolean> {
  return hasDedupRules((await openEbtables(run)('-L')).output, dedupChain(dialect), count);
}

/** Takes the rules away, if there are any. */
export async function removeDedupRules({ dialect, run }: DedupOptions): Promise<void> {
  const chain = dedupChain(dialect);
  const ebtables = openEbtables(run);
  const { code, output } = await ebtables('-L');
  if (code !== 0 || !output.includes(`Bridge chain: ${chain},`)) return;
  for (const args of [
    ['-D', entry, '-j', chain],
    ['-F', chain],
    ['-X', chain],
  ]) {
    await ebtables(...args);
  }
}

const openEbtables =
  (run: RunProgram) =>
  (...args: readonly string[]) =>
    run('ebtables', ['-t', 'filter', ...args]);
