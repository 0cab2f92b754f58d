import { errorText } from '../../../base/index.ts';
import type { Effort } from './findings.ts';

/** A regular expression of RE2 syntax, compiled. */
export interface Pattern {
  /** Whether it is found in a text, in time that grows with the text only; false too when the effort is spent. */
  isIn(text: string, effort: Effort): boolean;
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

/** Programs of more instructions may need a state for each letter of a text, each as costly as the program is long. */
const smallProgram = 16;
const instructionsPerStep = 4;

/** The pattern of a text, or what is wrong with it. */
export function compilePattern(text: string): Pattern | PatternFault {
  const { RE2JS } = loadEngine();
  try {
    const named = findNamedGroup(text);
    if (named !== undefined)
      return { fault: `error parsing regexp: invalid or unsupported Perl syntax: \`${named}\`` };
    const compiled = RE2JS.compile(text);
    const size = compiled.programSize();
    const stepsPerLetter = size > smallProgram ? size : size / instructionsPerStep;
    return {
      isIn: (subject, effort) => effort.spend(subject.length * stepsPerLetter) && compiled.test(subject),
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
