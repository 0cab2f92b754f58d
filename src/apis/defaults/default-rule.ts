import type { Dialect } from '../../machinery/dialect.ts';

/** What rules may know beside the object. */
export interface DefaultContext {
  readonly dialect: Dialect;
  /** Enabled feature gates. */
  readonly gates: ReadonlySet<string>;
}

/**
 * A rule that a constant cannot say. Changes the object in place; the object is in canonical form of the type
 * that `defaults.json` names the rule for, and that type's interface is the parameter's.
 */
export type DefaultRule = (object: never, context: DefaultContext) => void;

/** A rule of `defaults.json`. */
export type DefaultRuleData = ConstantRuleData | NamedRuleData;

/** Sets a field that is unset to a constant. */
export interface ConstantRuleData {
  /** Fields between dots, from the type on. */
  readonly path: string;
  readonly value: unknown;
  /** Applies only when each of these fields has one of the values. */
  readonly when?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Applies only with this feature gate. */
  readonly gate?: string | undefined;
}

/** Calls a function of the rule table. */
export interface NamedRuleData {
  readonly rule: string;
  /** Applies only with this feature gate. */
  readonly gate?: string | undefined;
}
