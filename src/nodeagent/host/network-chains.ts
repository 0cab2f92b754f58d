import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { RunProgram } from './run-program.ts';

/** iptables rules of one address family, and how the program is run; the bits are 0 to 31. */
export interface NetworkChainsOptions {
  readonly dialect: Dialect;
  /** Bits of the mark of packets that are to be dropped, and masqueraded. */
  readonly dropBit: number;
  readonly masqueradeBit: number;
  readonly family: 4 | 6;
  readonly run: RunProgram;
  readonly logger: Logger;
}

/** Rules of one chain, as `iptables` takes them. */
export interface ChainRules {
  readonly table: 'nat' | 'filter' | 'mangle';
  readonly chain: string;
  readonly rules: readonly (readonly string[])[];
  /** Where the chain is entered; before all other rules when `isFirst`. */
  readonly enteredFrom: readonly {
    readonly chain: string;
    readonly isFirst: boolean;
    readonly comment?: string;
  }[];
}

/** How long `iptables` waits for the lock that other processes hold while they change rules. */
const waitSeconds = '5';

/**
 * The chains on which service proxies of the release rely: marking packets, dropping and masquerading marked ones, and
 * dropping packets of other hosts to loopback addresses.
 */
export function networkChains({
  dialect,
  dropBit,
  masqueradeBit,
  family,
  isRandom = false,
}: Pick<NetworkChainsOptions, 'dialect' | 'dropBit' | 'masqueradeBit' | 'family'> & {
  /** Whether ports of masqueraded packets are drawn at random, as far as iptables can do that. */
  readonly isRandom?: boolean;
}): readonly ChainRules[] {
  const nameOf = (end: string): string => dialect.spell(`orch-${end}`).toUpperCase();
  const comment = (text: string): string[] => ['-m', 'comment', '--comment', dialect.spell(text)];
  const [drop, masquerade] = [maskOf(dropBit), maskOf(masqueradeBit)];
  const ofLoopback = [
    ...comment('block incoming localnet connections'),
    ...['--dst', '127.0.0.0/8', '!', '--src', '127.0.0.0/8'],
    ...['-m', 'conntrack', '!', '--ctstate', 'RELATED,ESTABLISHED,DNAT', '-j', 'DROP'],
  ];
  const ofDropped = [
    ...comment('orch firewall for dropping marked packets'),
    ...['-m', 'mark', '--mark', `${drop}/${drop}`, '-j', 'DROP'],
  ];
  const ofMasqueraded = [
    ['-m', 'mark', '!', '--mark', `${masquerade}/${masquerade}`, '-j', 'RETURN'],
    // The mark goes, so that the packet is not masqueraded twice.
    ['-j', 'MARK', '--xor-mark', masquerade],
    [
      ...comment('orch service traffic requiring SNAT'),
      ...['-j', 'MASQUERADE'],
      ...(isRandom ? ['--random-fully'] : []),
    ],
  ];
  const firewall = nameOf('firewall');
  const postrouting = nameOf('postrouting');
  return [
    { table: 'nat', chain: nameOf('mark-drop'), rules: [['-j', 'MARK', '--or-mark', drop]], enteredFrom: [] },
    {
      table: 'filter',
      chain: firewall,
      rules: family === 4 ? [ofDropped, ofLoopback] : [ofDropped],
      enteredFrom: [
        { chain: 'OUTPUT', isFirst: true },
        { chain: 'INPUT', isFirst: true },
      ],
    },
    {
      table: 'nat',
      chain: nameOf('mark-masq'),
      rules: [['-j', 'MARK', '--or-mark', masquerade]],
      enteredFrom: [],
    },
    {
      table: 'nat',
      chain: postrouting,
      rules: ofMasqueraded,
      enteredFrom: [
        { chain: 'POSTROUTING', isFirst: true, comment: dialect.spell('orch postrouting rules') },
      ],
    },
    ...canaries(nameOf('nodeagent-canary')),
  ];
}

/** Empty chains: one that is gone tells that somebody removed the others of its table, too. */
const canaries = (chain: string): readonly ChainRules[] =>
  (['mangle', 'nat', 'filter'] as const).map((table) => ({ table, chain, rules: [], enteredFrom: [] }));

/**
 * Whether the chains are entered, and those that are not are there if they are empty: who flushes a table or removes its
 * chains takes away the rules that lead there, or the empty chains.
 */
export async function hasNetworkChains(options: NetworkChainsOptions): Promise<boolean> {
  const iptables = openIptables(options);
  for (const { table, chain, rules, enteredFrom } of networkChains(options)) {
    if (rules.length === 0 && (await iptables('-t', table, '-S', chain)).code !== 0) return false;
    for (const entry of enteredFrom) {
      const { code } = await iptables('-t', table, '-C', entry.chain, ...entryRule(entry, chain));
      if (code !== 0) return false;
    }
  }
  return true;
}

/**
 * Makes the chains and rules that are missing; what is there stays, whoever made it. Never rejects: pods do not need them.
 *
 * @returns whether all are there
 */
export async function ensureNetworkChains(options: NetworkChainsOptions): Promise<boolean> {
  const iptables = openIptables(options);
  const ensureRule = async (table: string, verb: '-A' | '-I', chain: string, rule: readonly string[]) => {
    if ((await iptables('-t', table, '-C', chain, ...rule)).code === 0) return;
    const { code, output } = await iptables('-t', table, verb, chain, ...rule);
    if (code !== 0) throw new Error(`a rule of ${chain} could not be made: ${output}`);
  };
  try {
    const isRandom = await canDrawPorts(options);
    for (const { table, chain, rules, enteredFrom } of networkChains({ ...options, isRandom })) {
      if ((await iptables('-t', table, '-n', '-L', chain)).code !== 0) {
        const { code, output } = await iptables('-t', table, '-N', chain);
        if (code !== 0) throw new Error(`chain ${chain} could not be made: ${output}`);
      }
      for (const rule of rules) await ensureRule(table, '-A', chain, rule);
      for (const entry of enteredFrom) {
        await ensureRule(table, entry.isFirst ? '-I' : '-A', entry.chain, entryRule(entry, chain));
      }
    }
    return true;
  } catch (error) {
    options.logger.info('iptables chain setup failed', { error });
    return false;
  }
}

/** `--random-fully` came with version 1.6.2. */
async function canDrawPorts({ family, run }: Pick<NetworkChainsOptions, 'family' | 'run'>): Promise<boolean> {
  const { output } = await run(programOf(family), ['--version']);
  const [, major, minor, patch] = /v(\d+)\.(\d+)\.(\d+)/.exec(output) ?? [];
  const version = Number(major) * 1e6 + Number(minor) * 1e3 + Number(patch);
  return version >= 1_006_002;
}

const programOf = (family: 4 | 6): string => (family === 4 ? 'iptables' : 'ip6tables');

function openIptables({ family, run }: Pick<NetworkChainsOptions, 'family' | 'run'>) {
  return (...args: string[]) => run(programOf(family), ['-w', waitSeconds, ...args]);
}

function entryRule({ comment }: ChainRules['enteredFrom'][number], chain: string): readonly string[] {
  const said = comment === undefined ? [] : ['-m', 'comment', '--comment', comment];
  return [...said, '-j', chain];
}

const maskOf = (bit: number): string => `0x${(2 ** bit).toString(16).padStart(8, '0')}`;
