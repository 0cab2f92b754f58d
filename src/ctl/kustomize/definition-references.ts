import { asJsonObject, asText, isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  type Configuration,
  type FieldSpec,
  mergeConfigurations,
  type NameReference,
  parseConfiguration,
} from './configuration.ts';

/**
 * What OpenAPI definitions of custom kinds, by type name, say of their fields: which hold labels or annotations, which
 * name other objects. Source: kustomize 2.0, `crds`.
 */
export function readDefinitions(value: unknown, source: string, dialect: Dialect): Configuration {
  const definitions = asJsonObject(value);
  const lists: FoundFields = { commonLabels: [], commonAnnotations: [], namePrefix: [], nameReference: [] };
  for (const typeName of Object.keys(definitions)) {
    const { kind, apiVersion, metadata } = propertiesOf(definitions, typeName);
    if (kind === undefined || apiVersion === undefined || metadata === undefined) continue;
    const walk: Walk = {
      definitions,
      extension: (name) => `${dialect.extensionPrefix}${name}`,
      kind: typeName.slice(typeName.lastIndexOf('.') + 1),
      found: lists,
    };
    walkType(walk, typeName, [], new Set());
  }
  return mergeConfigurations(parseConfiguration({}, source), {
    ...parseConfiguration({}, source),
    ...lists,
  });
}

interface FoundFields {
  readonly commonLabels: FieldSpec[];
  readonly commonAnnotations: FieldSpec[];
  readonly namePrefix: FieldSpec[];
  readonly nameReference: NameReference[];
}

interface Walk {
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly extension: (name: string) => string;
  readonly kind: string;
  readonly found: FoundFields;
}

function propertiesOf(definitions: Walk['definitions'], typeName: string): Readonly<Record<string, unknown>> {
  const definition = asJsonObject(Object.hasOwn(definitions, typeName) ? definitions[typeName] : undefined);
  return asJsonObject(asJsonObject(definition.Schema).properties);
}

/** `above` are the types on the way, into which a type that holds itself would lead again and again. */
function walkType(walk: Walk, typeName: string, path: readonly string[], above: ReadonlySet<string>): void {
  if (above.has(typeName)) return;
  const { extension, kind, found } = walk;
  for (const [name, property] of Object.entries(propertiesOf(walk.definitions, typeName))) {
    if (!isJsonObject(property)) continue;
    const here = [...path, name];
    const field = (...names: string[]): FieldSpec => ({ kind, path: [...here, ...names].join('/') });
    const has = (mark: string): boolean => typeof property[extension(mark)] === 'string';
    if (has('annotation')) found.commonAnnotations.push(field());
    if (has('label-selector')) found.commonLabels.push(field());
    if (has('identity')) found.namePrefix.push(field());
    if (has('object-ref-api-version') && has('object-ref-kind')) {
      found.nameReference.push({
        version: asText(property[extension('object-ref-api-version')]),
        kind: asText(property[extension('object-ref-kind')]),
        fieldSpecs: [field(asText(property[extension('object-ref-name-key')]) || 'name')],
      });
    }
    const reference = asText(property.$ref);
    if (reference !== '') walkType(walk, reference, here, new Set([...above, typeName]));
  }
}
