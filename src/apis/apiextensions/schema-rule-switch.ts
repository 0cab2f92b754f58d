import type { Steps } from '../../base/index.ts';
import { compileRulesOf } from '../../machinery/cel/index.ts';
import { extensionNames, type SchemaNode } from '../../machinery/schema/structural/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
} from '../types/apiextensions-v1beta1.ts';
import { schemasBelow, schemasOf } from './schema-walk.ts';

/** The key of `--runtime-config` that turns rules in schemas on. */
const ruleKey = 'apiextensions.orch.io/v1/validationrules';

/** Whether rules in schemas of custom resources count on this server. */
export const runsRules = ({ later, dialect }: Pick<RuleContext, 'later' | 'dialect'>): boolean =>
  later?.has(dialect.spell(ruleKey)) === true;

/** Compiles the rules in the schemas of a definition, one in each step, so that checking them takes no time. */
export function compileSchemaRulesOf(
  spec: CustomResourceDefinitionSpec,
  context: RuleContext,
): Steps<void> | undefined {
  if (!runsRules(context)) return undefined;
  const parts = schemasOf(spec).flatMap((schema) => compileRulesOf(schema, context.dialect) ?? []);
  return parts.length === 0 ? undefined : inTurn(parts);
}

function* inTurn(parts: readonly Steps<unknown>[]): Steps<void> {
  for (const part of parts) yield* part;
}

/**
 * Takes rules out of schemas on a server that does not run them, as release 1.20 does with what it does not know, but tells the
 * client. All that say nothing (`null`) go.
 */
export function dropRules(definition: CustomResourceDefinition, context: RuleContext): void {
  const { validations } = extensionNames(context.dialect);
  const isOn = runsRules(context);
  const open: SchemaNode[] = schemasOf(definition.spec);
  let hasDropped = false;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const given = node[validations];
    if (given !== undefined && (!isOn || given === null)) {
      hasDropped ||= given !== null;
      Reflect.deleteProperty(node, validations);
    }
    for (const child of schemasBelow(node)) open.push(child);
  }
  if (!hasDropped) return;
  const key = context.dialect.spell(ruleKey);
  context.warn?.(
    `${validations} was dropped: this server runs no such rules unless --runtime-config=${key} turns them on`,
  );
}
