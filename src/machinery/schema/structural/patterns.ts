import { errorText } from '../../../base/index.ts';

/** A budget of steps; false once it is spent. */
export interface StepBudget {
  spend(steps: number): boolean;
}

/** A regular expression of RE2 syntax, compiled. */
export interface Pattern {
  /** Whether it is found in a text, in time that grows with the text only; false too when the budget is spent. */
  isIn(text: string, budget: StepBudget): boolean;
  /** The first parts of a text that match, at most `limit`; those found so far when the budget is spent. */
  findIn(text: string, limit: number, budget: StepBudget): readonly string[];
}

/** What a pattern that does not compile says, in the words of Go's parser. */
export interface PatternFault {
  readonly fault: string;
}

type Engine = typeof import('re2js');

let engine: Engine | undefined;

/** Loaded when the first pattern comes: most servers have none, and it would take them as long as all of this folder. */
function loadEngine(): Engine {
  const { createRequire } = process.getBuiltinModule('node:module');
  if (engine === undefined) {
    const loaded: Engine = createRequire(import.meta.url)('re2js');
    engine = loaded;
  }
  return engine;
}

/** Patterns that were compiled last, by text: schemas repeat them, among their parts and each other. */
const recent = new Map<string, { readonly compiled: Pattern | PatternFault; readonly size: number }>();
/** Instructions of all of them, and what is kept at most. */
let recentSize = 0;
const maxRecentSize = 50_000;

/** Programs of more instructions may need a state for each letter of a text, each as costly as the program is long. */
const smallProgram = 16;
/** Nobody writes larger ones but to do harm; what such a state takes does not fit into the processor's caches. */
const largeProgram = 2000;
const [instructionsPerStep, stateInstructionsPerStep] = [10, 2];

/** Larger ones take tens of milliseconds to compile. Later versions of Go refuse them in the same words. */
const maxSize = 10_000;
const tooLarge: PatternFault = { fault: 'error parsing regexp: expression too large: ``' };

/** The pattern of a text, or what is wrong with it. */
export function compilePattern(text: string): Pattern | PatternFault {
  const known = recent.get(text);
  if (known !== undefined) {
    recent.delete(text);
    recent.set(text, known);
    return known.compiled;
  }
  const size = patternSize(text);
  if (size > maxSize) return tooLarge;
  const compiled = compileAnew(text);
  recent.set(text, { compiled, size });
  recentSize += size;
  for (const [oldest, { size: freed }] of recent) {
    if (recentSize <= maxRecentSize) break;
    recent.delete(oldest);
    recentSize -= freed;
  }
  return compiled;
}

function compileAnew(text: string): Pattern | PatternFault {
  const { RE2JS } = loadEngine();
  try {
    const named = findNamedGroup(text);
    if (named !== undefined)
      return { fault: `error parsing regexp: invalid or unsupported Perl syntax: \`${named}\`` };
    const compiled = RE2JS.compile(text);
    const size = compiled.programSize();
    const stepsPerLetter =
      size > largeProgram
        ? size
        : size / (size > smallProgram ? stateInstructionsPerStep : instructionsPerStep);
    return {
      isIn: (subject, budget) => budget.spend(subject.length * stepsPerLetter) && compiled.test(subject),
      findIn(subject, limit, budget) {
        const found: string[] = [];
        const matcher = compiled.matcher(subject);
        // Each search may look at all of the text.
        while (found.length < limit && budget.spend(1 + subject.length * stepsPerLetter) && matcher.find())
          found.push(matcher.group() ?? '');
        return found;
      },
    };
  } catch (error) {
    return { fault: faultOf(errorText(error)) };
  }
}

/** Go always names the text that it stopped at, also where there is none. */
const faultOf = (message: string): string => (message.endsWith('`') ? message : `${message}: \`\``);

/** Groups that are named as in other languages, which Go did not know at the time of release 1.20. */
function findNamedGroup(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '\\') {
      if (text.charAt(at + 1) === 'Q')
        at = Math.max(at, text.indexOf('\\E', at) < 0 ? text.length : text.indexOf('\\E', at));
      at++;
    } else if (letter === '[') at = endOfClass(text, at);
    else if (text.startsWith('(?<', at)) return '(?<';
  }
  return undefined;
}

/** Where a class of letters ends: its first letter may be a bracket. */
function endOfClass(text: string, start: number): number {
  let at = start + 1;
  if (text.charAt(at) === '^') at++;
  if (text.charAt(at) === ']') at++;
  for (; at < text.length && text.charAt(at) !== ']'; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.startsWith('[:', at)) {
      const end = text.indexOf(':]', at + 2);
      if (end > 0) at = end + 1;
    }
  }
  return at;
}

/** Classes of Unicode have hundreds of ranges. */
const sizeOfUnicodeClass = 20;
const counted = /\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}/y;

/**
 * About how many instructions a pattern comes to, repetitions written out: what it costs to compile, some microseconds each.
 * The text need not be a pattern; then the answer means nothing.
 */
export function patternSize(text: string): number {
  const open = [0];
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    counted.lastIndex = at;
    if (letter === '(') {
      open.push(0);
      last = 0;
      continue;
    }
    const repeated = letter === '{' ? counted.exec(text) : null;
    if (repeated !== null) {
      const [whole, least = '', most = ''] = repeated;
      open[open.length - 1] = (open.at(-1) ?? 0) + last * Math.max(Number(least), Number(most));
      at += whole.length - 1;
      continue;
    }
    if (letter === ')' && open.length > 1) last = (open.pop() ?? 0) + 2;
    else if (letter === '[') {
      const end = endOfClass(text, at);
      last = 1 + ((end - at) >> 2) + (text.slice(at, end).includes('\\p') ? sizeOfUnicodeClass : 0);
      at = end;
    } else if (letter === '\\') last = /[pP]/.test(text.charAt(++at)) ? sizeOfUnicodeClass : 1;
    else last = 1;
    open[open.length - 1] = (open.at(-1) ?? 0) + last;
  }
  return open.reduce((sum, size) => sum + size, 0);
}
