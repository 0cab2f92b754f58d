import { asJsonObject } from '../../base/index.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import { requireOneOf } from '../reporting.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceValidation,
} from '../types/apiextensions-v1beta1.ts';
import {
  isDns1035Label,
  isDns1123Subdomain,
  nameIsDnsSubdomain,
  validateImmutableField,
} from '../validation/index.ts';
import { namesKnownReview, validateConversion } from './conversion-validation.ts';
import { validateNameFormats, validateNames } from './names-validation.ts';
import { validateColumns, validateSubresources } from './presentation-validation.ts';
import { type SchemaRules, schemaRules } from './schema-rules.ts';
import { validateSchema } from './schema-validation.ts';
import { hasDefault, hasMoreSchemas, hasSchemaWith, schemasOf } from './schema-walk.ts';
import { validateStoredVersions } from './stored-versions.ts';
import { validateDeprecation, validateVersionsTogether } from './versions-validation.ts';

const specPath = fieldPath('spec');
const namesPath = specPath.child('names');
const latest = 'apiextensions.orch.io/v1';
/** Schemas within those of a definition, that of each property counted; checking more would hold up other requests. */
const maxSchemas = 50_000;

/** What is wrong with the name of a definition, which says what it defines. */
export function describeDefinitionName(
  name: string,
  isPrefix: boolean,
  { spec: { names, group } }: CustomResourceDefinition,
): string[] {
  const isWanted = name === `${names.plural}.${group}`;
  return [
    ...nameIsDnsSubdomain(name, isPrefix),
    ...(isWanted ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
}

/** Errors of a new definition. */
export function validateDefinition(definition: CustomResourceDefinition, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  validateSpec(errors, definition.spec, undefined, context);
  return [...errors, ...validateStatusNames(definition), ...validateStoredVersions(definition, context)];
}

/**
 * Errors of a change: group and plural stay, and once the resource is served also scope and kind. What newer rules refuse
 * may be kept.
 */
export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  context: RuleContext,
): FieldError[] {
  const { spec } = definition;
  const errors: FieldError[] = [];
  validateSpec(errors, spec, old.spec, context);
  const isServed = (old.status.conditions ?? []).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  if (isServed) {
    errors.push(
      ...validateImmutableField(spec.scope, old.spec.scope, specPath.child('scope')),
      ...validateImmutableField(spec.names.kind, old.spec.names.kind, namesPath.child('kind')),
    );
  }
  return [
    ...errors,
    ...validateImmutableField(spec.group, old.spec.group, specPath.child('group')),
    ...validateImmutableField(spec.names.plural, old.spec.names.plural, namesPath.child('plural')),
    ...validateStatusNames(definition),
    ...validateStoredVersions(definition, context),
  ];
}

/** Errors of the names that a definition was found to have. */
export function validateStatusNames({ status }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  validateNameFormats(errors, status.acceptedNames, fieldPath('status', 'acceptedNames'));
  return errors;
}

/**
 * Errors of a definition, or a change to one, that begins to keep unknown fields as a whole, which the latest version leaves
 * to schemas.
 */
export function validatePreserveFlag(
  { spec }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { requestApiVersion }: RuleContext,
): FieldError[] {
  if (spec.preserveUnknownFields !== true || requestApiVersion !== latest) return [];
  if (old !== undefined && old.spec.preserveUnknownFields !== false) return [];
  const detail =
    'cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue(specPath.child('preserveUnknownFields'), true, detail)];
}

function validateSpec(
  errors: FieldError[],
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  context: RuleContext,
): void {
  if (hasMoreSchemas(schemasOf(spec), maxSchemas)) {
    const detail = `must not have more than ${maxSchemas} schemas within those of all versions`;
    errors.push(forbiddenField(specPath.child('versions'), detail));
    return;
  }
  const rules = schemaRules(spec, old, context);
  validateGroup(errors, spec.group);
  requireOneOf(errors, specPath.child('scope'), spec.scope, ['Cluster', 'Namespaced']);
  requireSchemas(errors, spec, rules);
  if (rules.defaultsRefusal === undefined && spec.preserveUnknownFields !== false && hasDefaults(spec)) {
    const detail = 'must be false in order to use defaults in the schema';
    errors.push(invalidValue(specPath.child('preserveUnknownFields'), true, detail));
  }
  for (const [at, version] of (spec.versions ?? []).entries()) {
    validateVersion(errors, spec, version, specPath.child('versions').index(at), rules);
  }
  validateVersionsTogether(errors, spec, specPath, context);
  validateNames(errors, spec.names, namesPath);
  const hasStatus = [spec, ...(spec.versions ?? [])].some(
    ({ subresources }) => subresources?.status !== undefined,
  );
  validateSchemaOf(errors, spec.validation, specPath.child('validation'), rules, { hasStatus });
  validateSubresources(errors, spec.subresources, specPath.child('subresources'));
  validateColumns(errors, spec.additionalPrinterColumns ?? [], specPath.child('additionalPrinterColumns'));
  const wasKnown = old?.conversion === undefined || namesKnownReview(old.conversion);
  validateConversion(errors, spec, specPath.child('conversion'), { requiresKnownReview: wasKnown });
}

const hasDefaults = (spec: CustomResourceDefinitionSpec): boolean =>
  schemasOf(spec).some((schema) => hasSchemaWith(schema, hasDefault));

function validateSchemaOf(
  errors: FieldError[],
  validation: CustomResourceValidation | undefined,
  path: FieldPath,
  rules: SchemaRules,
  options: { readonly hasStatus: boolean },
): void {
  if (validation?.openAPIV3Schema === undefined) return;
  // The names of some of its fields depend on the dialect.
  const schema = asJsonObject(validation.openAPIV3Schema);
  validateSchema(errors, schema, path.child('openAPIV3Schema'), rules, options);
}

function validateVersion(
  errors: FieldError[],
  { subresources, versions = [] }: CustomResourceDefinitionSpec,
  version: CustomResourceDefinitionVersion,
  path: FieldPath,
  rules: SchemaRules,
): void {
  const problems = isDns1035Label(version.name);
  if (problems.length > 0) errors.push(invalidValue(path.child('name'), version.name, problems.join(',')));
  validateDeprecation(errors, version, path);
  const ofVersion = versions.some((each) => each.subresources !== undefined)
    ? versions.find(({ name }) => name === version.name)?.subresources
    : subresources;
  const hasStatus = ofVersion?.status !== undefined;
  validateSchemaOf(errors, version.schema, path.child('schema'), rules, { hasStatus });
  validateSubresources(errors, version.subresources, path.child('subresources'));
  validateColumns(errors, version.additionalPrinterColumns ?? [], path.child('additionalPrinterColumns'));
}

function validateGroup(errors: FieldError[], group: string): void {
  const path = specPath.child('group');
  if (group === '') {
    errors.push(required(path));
    return;
  }
  const problems = isDns1123Subdomain(group);
  if (problems.length > 0) errors.push(invalidValue(path, group, problems.join(',')));
  else if (!group.includes('.')) {
    errors.push(invalidValue(path, group, 'should be a domain with at least one dot'));
  }
}

function requireSchemas(
  errors: FieldError[],
  { validation, versions = [], preserveUnknownFields }: CustomResourceDefinitionSpec,
  { requiresSchemas }: SchemaRules,
): void {
  if (validation?.openAPIV3Schema !== undefined) return;
  if (!requiresSchemas && preserveUnknownFields === true) return;
  for (const [at, { schema, served }] of versions.entries()) {
    if (schema?.openAPIV3Schema !== undefined || !(requiresSchemas || served)) continue;
    const path = specPath.child('versions').index(at).child('schema', 'openAPIV3Schema');
    errors.push(
      required(path, requiresSchemas ? 'schemas are required' : 'because otherwise all fields are pruned'),
    );
  }
}
