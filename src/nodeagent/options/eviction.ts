import { type Parsed, parseDurationText, parseFloatText, refuse } from '../../config/index.ts';
import {
  formatQuantity,
  parseQuantity,
  QuantityError,
  quantitySign,
  quantityValue,
} from '../../machinery/values/index.ts';
import { agentPhrases } from './phrases.ts';

/** What eviction looks at. */
export const evictionSignals = [
  'memory.available',
  'allocatableMemory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
] as const;

/** One of `evictionSignals`. */
export type EvictionSignal = (typeof evictionSignals)[number];

/** An amount in the signal's unit (bytes, inodes, processes) or a share of the capacity. */
export type EvictionAmount = { readonly amount: number } | { readonly percent: number };

/** When to evict pods. */
export interface EvictionThreshold {
  readonly signal: EvictionSignal;
  /** Pods are evicted when less than this is left. */
  readonly below: EvictionAmount;
  /** How long it must hold; 0 for hard thresholds. */
  readonly gracePeriodMs: number;
  /** What eviction frees beyond the threshold. */
  readonly minimumReclaim?: EvictionAmount;
}

type Texts = Readonly<Record<string, string>>;

/** The eviction options as they stand in flags and file. */
export interface EvictionTexts {
  readonly evictionHard: Texts;
  readonly evictionSoft: Texts;
  readonly evictionSoftGracePeriod: Texts;
  readonly evictionMinimumReclaim: Texts;
}

/** A problem of one of the four options. */
export interface EvictionProblem {
  readonly option: keyof EvictionTexts;
  readonly text: string;
}

/** The thresholds, hard ones first, and everything that is wrong with them. A threshold of 0 % or 100 % is none. */
export function readEvictionThresholds(texts: EvictionTexts): {
  readonly thresholds: readonly EvictionThreshold[];
  readonly problems: readonly EvictionProblem[];
} {
  const problems: EvictionProblem[] = [];
  const read = <T>(option: keyof EvictionTexts, parse: (text: string, signal: string) => Parsed<T>) =>
    new Map(
      Object.entries(texts[option]).flatMap(([signal, text]): [EvictionSignal, T][] => {
        const parsed = isSignal(signal)
          ? parse(text, signal)
          : refuse(`unsupported eviction signal ${signal}`);
        if ('problem' in parsed) problems.push({ option, text: parsed.problem });
        return 'problem' in parsed || !isSignal(signal) ? [] : [[signal, parsed.value]];
      }),
    );
  const hard = read('evictionHard', parseThreshold);
  const soft = read('evictionSoft', parseThreshold);
  const grace = read('evictionSoftGracePeriod', parseGracePeriod);
  const reclaim = read('evictionMinimumReclaim', parseReclaim);
  for (const signal of soft.keys()) {
    if (!Object.hasOwn(texts.evictionSoftGracePeriod, signal)) {
      problems.push({
        option: 'evictionSoft',
        text: `grace period must be specified for the soft eviction threshold ${signal}`,
      });
    }
  }
  const make = (
    signals: ReadonlyMap<EvictionSignal, EvictionAmount | undefined>,
    gracePeriod: (signal: EvictionSignal) => number,
  ) =>
    [...signals].flatMap(([signal, below]): EvictionThreshold[] => {
      const minimumReclaim = reclaim.get(signal);
      if (below === undefined) return [];
      return [
        {
          signal,
          below,
          gracePeriodMs: gracePeriod(signal),
          ...(minimumReclaim === undefined ? {} : { minimumReclaim }),
        },
      ];
    });
  return {
    thresholds: [...make(hard, () => 0), ...make(soft, (signal) => grace.get(signal) ?? 0)],
    problems,
  };
}

function isSignal(text: string): text is EvictionSignal {
  return evictionSignals.some((signal) => signal === text);
}

function parseThreshold(text: string, signal: string): Parsed<EvictionAmount | undefined> {
  if (text === '0%' || text === '100%') return { value: undefined };
  if (text.endsWith('%')) {
    const parsed = parsePercentText(text);
    if ('problem' in parsed) return parsed;
    const percent = parsed.value;
    if (percent < 0) return refuse(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
    if (percent > 100) return refuse(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
    return { value: { percent } };
  }
  return parseAmount(text, (shown) => `eviction threshold ${signal} must be positive: ${shown}`, {
    allowsZero: false,
  });
}

function parseReclaim(text: string, signal: string): Parsed<EvictionAmount> {
  if (text.endsWith('%')) {
    const parsed = parsePercentText(text);
    if ('problem' in parsed) return parsed;
    if (parsed.value > 0) return { value: { percent: parsed.value } };
    return refuse(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
  }
  return parseAmount(text, () => `negative eviction minimum reclaim specified for ${signal}`, {
    allowsZero: true,
  });
}

function parseAmount(
  text: string,
  refusal: (shown: string) => string,
  { allowsZero }: { allowsZero: boolean },
): Parsed<EvictionAmount> {
  try {
    const quantity = parseQuantity(text);
    const sign = quantitySign(quantity);
    if (sign < 0 || (sign === 0 && !allowsZero)) return refuse(refusal(formatQuantity(quantity)));
    return { value: { amount: Number(quantityValue(quantity)) } };
  } catch (error) {
    if (error instanceof QuantityError) return refuse(error.message);
    throw error;
  }
}

/** The number before percent signs, of which there may be several. */
const parsePercentText = (text: string): Parsed<number> =>
  parseFloatText(text.replace(/%+$/, ''), agentPhrases);

function parseGracePeriod(text: string): Parsed<number> {
  const parsed = parseDurationText(text, agentPhrases);
  if ('value' in parsed && parsed.value < 0)
    return refuse(`invalid eviction grace period specified: ${text}, must be a positive value`);
  return parsed;
}
