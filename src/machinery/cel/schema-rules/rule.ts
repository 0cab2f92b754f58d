import { compileExpression, type Expression, type ExpressionFault } from '../expression.ts';
import { bool, type CelType, optionalOf, string } from '../types.ts';

/** A rule of a schema as a definition has it. Source: `x-…-validations` of later releases, `apiextensions/v1`. */
export interface RuleText {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  /** Path of the field that errors name, below the one with the rule. */
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

/** A rule, compiled. */
export interface CompiledRule {
  readonly text: RuleText;
  readonly check: Expression | ExpressionFault;
  readonly message: Expression | ExpressionFault | undefined;
  /** It speaks of the old value: without one it does not count, unless it says so. */
  readonly needsOld: boolean;
  readonly usesOld: boolean;
}

const bools: readonly CelType[] = [bool];
const strings: readonly CelType[] = [string];

/** Rules by what a schema says of them, which stands at one place, whose type never changes. */
const compiled = new WeakMap<object, CompiledRule>();

/** The rule that a schema has about values of a type; compiled once, for as long as the schema is there. */
export function ruleOf(value: Readonly<Record<string, unknown>>, type: CelType): CompiledRule {
  const known = compiled.get(value);
  if (known !== undefined) return known;
  const rule = compileRule(readRule(value), type);
  compiled.set(value, rule);
  return rule;
}

function compileRule(text: RuleText, type: CelType): CompiledRule {
  const usesOld = /\boldSelf\b/.test(text.rule) || /\boldSelf\b/.test(text.messageExpression);
  const variables = new Map<string, CelType>([
    ['self', type],
    ['oldSelf', text.optionalOldSelf ? optionalOf(type) : type],
  ]);
  return {
    text,
    check: compileExpression(text.rule, { variables }, bools),
    message:
      text.messageExpression === ''
        ? undefined
        : compileExpression(text.messageExpression, { variables }, strings),
    usesOld,
    needsOld: usesOld && !text.optionalOldSelf,
  };
}

/** A rule's texts; members of other types count as left out, which is told when a definition is checked. */
export function readRule(value: Readonly<Record<string, unknown>>): RuleText {
  const textOf = (name: string): string => {
    const member = value[name];
    return typeof member === 'string' ? member : '';
  };
  return {
    rule: textOf('rule'),
    message: textOf('message'),
    messageExpression: textOf('messageExpression'),
    reason: textOf('reason'),
    fieldPath: textOf('fieldPath'),
    optionalOldSelf: value.optionalOldSelf === true,
  };
}

/** What a refusal says when no message does. */
export const nameOfRule = ({ rule, message }: RuleText): string => message.trim() || rule.trim();
