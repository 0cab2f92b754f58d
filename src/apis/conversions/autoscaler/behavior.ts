import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../types/autoscaling-v2beta2.ts';

/**
 * Behavior as the annotation of older versions holds it: release 1.20 writes its own structures there, whose field
 * names begin with capitals and whose unset fields are null.
 */
export function toAnnotatedBehavior({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): object {
  return { ScaleUp: toAnnotatedRules(scaleUp), ScaleDown: toAnnotatedRules(scaleDown) };
}

/** Reads what `toAnnotatedBehavior` wrote, in any case of letters; undefined when it is no such thing. */
export function fromAnnotatedBehavior(value: unknown): HorizontalPodAutoscalerBehavior | undefined {
  try {
    const behavior = new Members(value);
    const scaleUp = behavior.optional('scaleup', readRules);
    const scaleDown = behavior.optional('scaledown', readRules);
    return scaleUp === undefined && scaleDown === undefined ? undefined : { scaleUp, scaleDown };
  } catch (error) {
    // The annotation is any text that a client wrote; what does not fit counts as none.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function toAnnotatedRules(rules: HPAScalingRules | undefined): object | null {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
  };
}

function readRules(value: unknown): HPAScalingRules {
  const rules = new Members(value);
  return {
    stabilizationWindowSeconds: rules.optional('stabilizationwindowseconds', readInteger),
    selectPolicy: rules.optional('selectpolicy', readText),
    policies: rules.optional('policies', readPolicies),
  };
}

function readPolicies(value: unknown): HPAScalingPolicy[] {
  if (!Array.isArray(value)) throw new TypeError('not a list');
  return value.map((item) => {
    const policy = new Members(item);
    return {
      type: policy.optional('type', readText) ?? '',
      value: policy.optional('value', readInteger) ?? 0,
      periodSeconds: policy.optional('periodseconds', readInteger) ?? 0,
    };
  });
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

function readInteger(value: unknown): number {
  if (typeof value !== 'number' || (value | 0) !== value) throw new TypeError('not a 32-bit integer');
  return value;
}

/** Members of a JSON object by their names in lower case. */
class Members {
  readonly #members: ReadonlyMap<string, unknown>;

  /** @throws TypeError when the value is no object. */
  constructor(value: unknown) {
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('not an object');
    this.#members = new Map(Object.entries(value ?? {}).map(([key, member]) => [key.toLowerCase(), member]));
  }

  /** A member that is there and not null, read. @throws TypeError as `read` does. */
  optional<T>(name: string, read: (value: unknown) => T): T | undefined {
    const member = this.#members.get(name);
    return member === undefined || member === null ? undefined : read(member);
  }
}
