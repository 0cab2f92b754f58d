import {
  bool,
  type CelType,
  dyn,
  int,
  listOf,
  mapOf,
  simpleType,
  string,
} from '../../machinery/cel/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { ExpressionWarning, ValidatingAdmissionPolicySpec } from '../types/admissionregistration-v1.ts';
import { compilePolicy, expressionsOf } from './policy-expressions.ts';

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
 * What the expressions of a policy would say wrongly of the built-in kinds that its rules name one by one. Custom kinds are not
 * checked.
 */
export function checkTypes(spec: ValidatingAdmissionPolicySpec, context: RuleContext): ExpressionWarning[] {
  const { catalog, dialect } = context;
  const kinds = kindsOf(spec).slice(0, maxKinds);
  const params = typeOfKind(
    catalog,
    dialect.spell(spec.paramKind?.apiVersion ?? ''),
    spec.paramKind?.kind ?? '',
  );
  const warnings = new Map<string, string[]>();
  for (const { apiVersion, resource } of kinds) {
    const kind = context.kindOf?.(apiVersion, resource);
    const object = kind === undefined ? undefined : typeOfKind(catalog, apiVersion, kind);
    if (object === undefined) continue;
    for (const { path, compiled } of expressionsOf(compilePolicy(spec, { object, params }))) {
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

/** The type of a built-in kind; fields that are often left out are there too. */
function typeOfKind(catalog: TypeCatalog, apiVersion: string, kind: string): CelType | undefined {
  const name = `${apiVersion}.${kind}`;
  return kind !== '' && catalog.find(name)?.f !== undefined ? typeOf(catalog, name) : undefined;
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
