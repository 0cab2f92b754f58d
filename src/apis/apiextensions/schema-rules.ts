import { fieldPath } from '../../machinery/errors/index.ts';
import {
  type ExtensionNames,
  extensionNames,
  hasUnprunedDefaults,
  type SchemaNode,
  textAt,
} from '../../machinery/schema/structural/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { CustomResourceDefinitionSpec } from '../types/apiextensions-v1beta1.ts';
import { atomicSetErrors, mapKeyErrors } from './list-markers.ts';
import { PatternChecks } from './pattern-checks.ts';
import { hasDefault, hasSchemaWith, isExtended, schemasOf } from './schema-walk.ts';
import { validateStructure } from './structural-validation.ts';

/** Types that a schema may name. */
export const schemaTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/**
 * What the schemas of a definition must be, which depends on the version of the request and, so that stored definitions can
 * still be changed, on what they were before.
 */
export interface SchemaRules {
  readonly context: RuleContext;
  readonly names: ExtensionNames;
  readonly patterns: PatternChecks;
  /** Why defaults are refused; undefined where they are not. */
  readonly defaultsRefusal: string | undefined;
  /** Each version must have a schema. */
  readonly requiresSchemas: boolean;
  readonly requiresStructure: boolean;
  readonly requiresKnownTypes: boolean;
  readonly requiresPrunedDefaults: boolean;
  readonly requiresAtomicSets: boolean;
  readonly requiresMapKeys: boolean;
}

const anywhere = fieldPath();

/** The rules for a definition. `old` is what is stored of it. */
export function schemaRules(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  context: RuleContext,
): SchemaRules {
  const names = extensionNames(context.dialect);
  const isLatest = context.requestApiVersion === 'apiextensions.orch.io/v1';
  const oldSchemas = old === undefined ? [] : schemasOf(old);
  const was = (isSuch: (node: SchemaNode) => boolean): boolean =>
    oldSchemas.some((schema) => hasSchemaWith(schema, isSuch));
  const is = (isSuch: (node: SchemaNode) => boolean): boolean =>
    schemasOf(spec).some((schema) => hasSchemaWith(schema, isSuch));
  const allowsDefaults = isLatest || was(hasDefault);
  // What is stored was checked by the server that took it; patterns that both have are compiled once.
  const patterns = new PatternChecks();
  const wasUnstructured = (): boolean =>
    oldSchemas.some((schema) => validateStructure(schema, anywhere, { names, patterns }).length > 0);
  return {
    context,
    names,
    patterns: new PatternChecks(),
    defaultsRefusal: allowsDefaults ? undefined : refusalOf(context),
    requiresSchemas: isLatest && (old === undefined || hasAllSchemas(old)),
    requiresStructure:
      spec.preserveUnknownFields !== true ||
      is((node) => isExtended(node, names)) ||
      (allowsDefaults && is(hasDefault)) ||
      (isLatest && !wasUnstructured()),
    requiresKnownTypes:
      isLatest && !was((node) => textAt(node, 'type') !== '' && !schemaTypes.includes(textAt(node, 'type'))),
    requiresPrunedDefaults: !oldSchemas.some((schema) => hasUnprunedDefaults(schema, names)),
    requiresAtomicSets: !was((node) => atomicSetErrors(node, anywhere, names).length > 0),
    requiresMapKeys: !was((node) => mapKeyErrors(node, anywhere, names).length > 0),
  };
}

function refusalOf({ dialect }: RuleContext): string {
  const group = dialect.group('apiextensions');
  return `(cannot set default values in ${group}/v1beta1 CRDs, must use ${group}/v1)`;
}

const hasAllSchemas = ({ validation, versions = [] }: CustomResourceDefinitionSpec): boolean =>
  validation?.openAPIV3Schema !== undefined ||
  versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined);
