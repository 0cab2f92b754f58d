import type { Steps } from '../../base/index.ts';
import {
  bool,
  type CelType,
  dyn,
  int,
  listOf,
  mapOf,
  openSchemaType,
  simpleType,
  string,
} from '../../machinery/cel/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { ExpressionWarning, ValidatingAdmissionPolicySpec } from '../types/admissionregistration-v1.ts';
import { compilePolicy, expressionsOf, type ReadTexts } from './policy-expressions.ts';

/** Kinds that a policy is checked against at most, as later releases do. */
const maxKinds = 10;

/** Types of scalars; what is not there may be anything. */
const scalars: Readonly<Record<string, CelType>> = {
  string,
  bool,
  int32: int,
  int64: int,
  uint32: int,
  double: simpleType('double'),
  bytes: simpleType('bytes'),
  'resource.Quantity': string,
};

/**
 * What the expressions of a policy would say wrongly of the kinds that its rules name one by one, built-in and custom ones, as these
 * are defined now; one expression of one kind in each step. `read` is what was read of them before.
 */
export function* checkTypes(
  spec: ValidatingAdmissionPolicySpec,
  context: RuleContext,
  read: ReadTexts = new Map(),
): Steps<ExpressionWarning[]> {
  const { dialect } = context;
  const kinds = kindsOf(spec).slice(0, maxKinds);
  const { apiVersion: paramVersion = '', kind: paramKind = '' } = spec.paramKind ?? {};
  const params = typeOfKind(context, dialect.spell(paramVersion), paramKind);
  const warnings = new Map<string, string[]>();
  for (const { apiVersion, resource } of kinds) {
    const kind = context.kindOf?.(apiVersion, resource);
    const object = kind === undefined ? undefined : typeOfKind(context, apiVersion, kind);
    if (object === undefined) continue;
    for (const { path, compiled } of expressionsOf(yield* compilePolicy(spec, { object, params }, read))) {
      if (!('fault' in compiled) || compiled.fault.startsWith('must evaluate')) continue;
      const text = `${apiVersion}, Kind=${kind}: ${compiled.fault}\n`;
      warnings.set(path.toString(), [...(warnings.get(path.toString()) ?? []), text]);
    }
  }
  return [...warnings].map(([fieldRef, texts]) => ({ fieldRef, warning: texts.join('') }));
}

function kindsOf({ matchConstraints }: ValidatingAdmissionPolicySpec) {
  const found = (matchConstraints?.resourceRules ?? []).flatMap(
    ({ apiGroups = [], apiVersions = [], resources = [] }) =>
      apiGroups.flatMap((group) =>
        apiVersions.flatMap((version) =>
          resources.map((resource) => ({
            apiVersion: group === '' ? version : `${group}/${version}`,
            resource,
          })),
        ),
      ),
  );
  return found.filter(({ apiVersion, resource }) => !apiVersion.includes('*') && !/[*/]/.test(resource));
}

/** The type of a kind; fields that are often left out are there too. */
function typeOfKind(context: RuleContext, apiVersion: string, kind: string): CelType | undefined {
  if (kind === '') return undefined;
  const { catalog, dialect } = context;
  const name = `${apiVersion}.${kind}`;
  if (catalog.find(name)?.f !== undefined) return typeOf(catalog, name);
  const schema = context.customSchemaOf?.(apiVersion, kind);
  return schema === undefined
    ? undefined
    : openSchemaType(schema, {
        dialect,
        metadata: typeOf(catalog, `${dialect.group('meta')}/v1.ObjectMeta`),
      });
}

function typeOf(catalog: TypeCatalog, text: string): CelType {
  const scalar = Object.hasOwn(scalars, text) ? scalars[text] : undefined;
  if (scalar !== undefined) return scalar;
  if (text.startsWith('list<')) return listOf(typeOf(catalog, text.slice('list<'.length, -1)));
  if (text.startsWith('map<string,'))
    return mapOf(string, typeOf(catalog, text.slice('map<string,'.length, -1)));
  const fields = catalog.find(text)?.f;
  if (fields === undefined) return dyn;
  const types = new Map(
    fields.filter(({ json, inline }) => json !== '-' && inline !== 1).map(({ n, t }) => [n, t]),
  );
  const known = new Map<string, CelType>();
  return {
    kind: 'object',
    name: text,
    field(name) {
      const type = types.get(name);
      if (type === undefined) return undefined;
      const made = known.get(name) ?? typeOf(catalog, type);
      known.set(name, made);
      return made;
    },
  };
}
