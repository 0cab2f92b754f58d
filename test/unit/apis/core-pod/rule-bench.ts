import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createDefaulter } from '../../../../src/apis/defaults/index.ts';
import type { KindRules, RuleContext } from '../../../../src/apis/kind-rules.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { FieldError } from '../../../../src/machinery/errors/index.ts';
import { defaultGates } from '../../../support/default-gates.ts';

const catalog = createTypeCatalog(orchDialect);
const gates = defaultGates();
const applyDefaults = createDefaulter({ dialect: orchDialect, catalog, gates });

/** What rules know in tests: default gates, privileged containers allowed. */
export const ruleContext: RuleContext = {
  dialect: orchDialect,
  catalog,
  gates,
  now: '2021-02-03T04:05:06Z',
  user: { name: 'alice', uid: 'u', groups: [], extra: {} },
  allowsPrivileged: true,
};

/** The context with other gates on or off than usual. */
export const withGates = (switches: Readonly<Record<string, boolean>>): RuleContext => ({
  ...ruleContext,
  gates: defaultGates(switches),
});

/** A canonical object with defaults, of a kind that `type` names in the catalog. */
export function canonical<T>(type: string, body: object): T {
  const object = catalog.type(type).decode(body);
  applyDefaults(type, object);
  // The caller names the type and its interface together.
  return object as T;
}

/** A pod with one fine container; `spec` overrides, `metadata` is added. */
export function makePod(spec: object = {}, metadata: object = {}): Pod {
  return canonical<Pod>('v1.Pod', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'pod-uid', ...metadata },
    spec: { containers: [{ name: 'c', image: 'x' }], ...spec },
  });
}

/** A pod whose only container has these fields. */
export const makeContainerPod = (container: object, spec: object = {}): Pod =>
  makePod({ containers: [{ name: 'c', image: 'x', ...container }], ...spec });

/** Errors as clients read them. */
export const texts = (errors: readonly FieldError[] | undefined): string[] =>
  (errors ?? []).map((error) => error.toString());

/** Errors of a new object, after preparation. */
export function createErrors<T>(rules: KindRules<T>, object: T, context = ruleContext): string[] {
  rules.prepareForCreate?.(object, context);
  return texts(rules.validate?.(object, context));
}

/** Errors of a change, after preparation. */
export function updateErrors<T>(rules: KindRules<T>, object: T, old: T, context = ruleContext): string[] {
  rules.prepareForUpdate?.(object, old, context);
  return texts([
    ...(rules.validateKept?.(object, old, context) ?? []),
    ...(rules.validateUpdate?.(object, old, context) ?? []),
  ]);
}

/** Errors of a new status, after preparation. */
export function statusErrors<T>(rules: KindRules<T>, object: T, old: T): string[] {
  rules.status?.prepareForUpdate?.(object, old, ruleContext);
  return texts([
    ...(rules.status?.validateKept?.(object, old, ruleContext) ?? []),
    ...(rules.status?.validateUpdate?.(object, old, ruleContext) ?? []),
  ]);
}
