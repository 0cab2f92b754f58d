import type { Dialect } from '../../../machinery/dialect.ts';
import { parseCidr } from '../../../machinery/formats/index.ts';
import type { RunProgram } from '../../host/index.ts';

/** Which packets of pods get the node's address, and how iptables is run. */
export interface MasqueradeOptions {
  readonly dialect: Dialect;
  /** Packets to addresses outside this range get the node's address; with a range of all addresses none do. */
  readonly nonMasqueradeCidr: string;
  readonly run: RunProgram;
}

/** How long `iptables` waits for the lock that other processes hold while they change rules. */
const waitSeconds = '5';
const chain = ['-t', 'nat'] as const;
const chainName = 'POSTROUTING';
const programs = { 4: 'iptables', 6: 'ip6tables' } as const;

/** The comment by which the agent recognizes its rule. */
const commentOf = (dialect: Dialect): string =>
  dialect.spell('orchnet: SNAT for outbound traffic from cluster');

/** The rule for packets that leave the cluster, or undefined where none do. */
export function masqueradeRule({
  dialect,
  nonMasqueradeCidr,
}: Pick<MasqueradeOptions, 'dialect' | 'nonMasqueradeCidr'>):
  | { readonly family: 4 | 6; readonly rule: readonly string[] }
  | undefined {
  const range = parseCidr(nonMasqueradeCidr);
  if (range === undefined || range.prefixBits === 0) return undefined;
  const rule = [
    ...['-m', 'comment', '--comment', commentOf(dialect)],
    ...['-m', 'addrtype', '!', '--dst-type', 'LOCAL'],
    ...['!', '-d', nonMasqueradeCidr, '-j', 'MASQUERADE'],
  ];
  return { family: range.first.family, rule };
}

/** Rules with that comment in a listing (`iptables -S`), as arguments that delete each of them. */
export function ownRules(listing: string, comment: string): readonly (readonly string[])[] {
  return listing
    .split('\n')
    .map(splitWords)
    .filter((words) => words[0] === '-A' && words.includes(comment))
    .map((words) => ['-D', ...words.slice(1)]);
}

/**
 * Adds the masquerade rule of these options, and deletes other rules of the agent.
 *
 * @throws Error when `iptables` fails
 */
export async function settleMasquerade(options: MasqueradeOptions): Promise<void> {
  const desired = masqueradeRule(options);
  for (const family of [4, 6] as const) {
    const run = (...args: readonly string[]) => ask(options.run, family, args);
    const { code, output } = await run('-S', chainName);
    if (code !== 0) {
      // Machines without IPv6 have no such rules.
      if (family === desired?.family) throw new Error(`rules of ${chainName} cannot be read: ${output}`);
      continue;
    }
    const rule = family === desired?.family ? desired.rule : undefined;
    const former = ownRules(output, commentOf(options.dialect));
    const isThere =
      rule !== undefined && former.length === 1 && (await run('-C', chainName, ...rule)).code === 0;
    if (isThere) continue;
    for (const args of former) await run(...args);
    if (rule !== undefined) await addRule(options.run, family, rule);
  }
}

/** Adds the rule again where another program has deleted it. @throws Error when `iptables` refuses */
export async function keepMasquerade(options: MasqueradeOptions): Promise<void> {
  const desired = masqueradeRule(options);
  if (desired === undefined) return;
  const { family, rule } = desired;
  if ((await ask(options.run, family, ['-C', chainName, ...rule])).code !== 0)
    await addRule(options.run, family, rule);
}

async function addRule(run: RunProgram, family: 4 | 6, rule: readonly string[]): Promise<void> {
  const { code, output } = await ask(run, family, ['-A', chainName, ...rule]);
  if (code === 0) return;
  throw new Error(`failed to ensure that nat chain ${chainName} jumps to MASQUERADE: ${output}`);
}

const ask = (run: RunProgram, family: 4 | 6, args: readonly string[]) =>
  run(programs[family], ['-w', waitSeconds, ...chain, ...args]);

/** Words of a line, of which some are in quotes. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, plain]) => plain ?? quoted?.replace(/\\(.)/g, '$1') ?? '',
  );
}
