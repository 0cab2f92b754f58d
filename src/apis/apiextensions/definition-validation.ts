import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import { reportInvalid, requireOneOf } from '../reporting.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../types/apiextensions-v1beta1.ts';
import {
  goList,
  isDns1035Label,
  isDns1123Subdomain,
  renderGo,
  validateImmutableField,
} from '../validation/index.ts';
import { validateConversion } from './conversion-validation.ts';
import { validateColumns, validateSubresources } from './presentation-validation.ts';
import { validateSchema } from './schema-validation.ts';
import { validateStoredVersions } from './stored-versions.ts';

const specPath = fieldPath('spec');
const namesPath = specPath.child('names');
const latest = 'apiextensions.orch.io/v1';

/** Errors of a definition. With `old` it is an update, which may keep what newer rules refuse. */
export function validateDefinition(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  context: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const { spec } = definition;
  for (const field of ['generateName', 'name'] as const) {
    const name = definition.metadata[field] ?? '';
    if (name === '' || name === `${spec.names.plural}.${spec.group}`) continue;
    const detail = 'must be spec.names.plural+"."+spec.group';
    errors.push(invalidValue(fieldPath('metadata', field), name, detail));
  }
  validateSpec(errors, spec, old, context);
  errors.push(...validateStoredVersions(definition));
  return errors;
}

/** Errors of a change: group and plural stay, and once the resource is served also scope and kind. */
export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  context: RuleContext,
): FieldError[] {
  const { spec } = definition;
  const errors = validateDefinition(definition, old, context);
  const isServed = (old.status.conditions ?? []).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  if (isServed) {
    errors.push(
      ...validateImmutableField(spec.scope, old.spec.scope, specPath.child('scope')),
      ...validateImmutableField(spec.names.kind, old.spec.names.kind, namesPath.child('kind')),
    );
  }
  const nameChanges = [
    ...validateImmutableField(spec.group, old.spec.group, specPath.child('group')),
    ...validateImmutableField(spec.names.plural, old.spec.names.plural, namesPath.child('plural')),
  ];
  if (nameChanges.length === 0) return errors;
  // The name says both; that it no longer fits follows from these errors and is not said too.
  return [...errors.filter(({ path }) => path.toString() !== 'metadata.name'), ...nameChanges];
}

function validateSpec(
  errors: FieldError[],
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinition | undefined,
  context: RuleContext,
): void {
  const isLatest = context.requestApiVersion === latest;
  validateGroup(errors, spec.group);
  requireOneOf(errors, specPath.child('scope'), spec.scope, ['Cluster', 'Namespaced']);
  validatePreserveFlag(errors, spec, old, isLatest);
  validateVersions(errors, spec, context);
  validateNames(errors, spec.names);
  const options = { context, preservesUnknown: spec.preserveUnknownFields === true };
  const versions = spec.versions ?? [];
  if (isLatest && old === undefined) requireSchemas(errors, spec, versions);
  if (spec.validation?.openAPIV3Schema !== undefined) {
    const path = specPath.child('validation', 'openAPIV3Schema');
    const hasStatus = spec.subresources?.status !== undefined;
    errors.push(...validateSchema(spec.validation.openAPIV3Schema, path, { ...options, hasStatus }));
  }
  validateSubresources(errors, spec.subresources, specPath.child('subresources'));
  validateColumns(errors, spec.additionalPrinterColumns ?? [], specPath.child('additionalPrinterColumns'));
  for (const [at, version] of versions.entries()) {
    const path = specPath.child('versions').index(at);
    const schema = version.schema?.openAPIV3Schema;
    if (schema !== undefined) {
      const hasStatus = version.subresources?.status !== undefined;
      const at1 = path.child('schema', 'openAPIV3Schema');
      errors.push(...validateSchema(schema, at1, { ...options, hasStatus }));
    }
    validateSubresources(errors, version.subresources, path.child('subresources'));
    validateColumns(errors, version.additionalPrinterColumns ?? [], path.child('additionalPrinterColumns'));
  }
  validateConversion(errors, spec, specPath.child('conversion'));
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

function validatePreserveFlag(
  errors: FieldError[],
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinition | undefined,
  isLatest: boolean,
): void {
  if (spec.preserveUnknownFields !== true || !isLatest) return;
  if (old !== undefined && old.spec.preserveUnknownFields !== false) return;
  const detail =
    'cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead';
  errors.push(invalidValue(specPath.child('preserveUnknownFields'), true, detail));
}

function requireSchemas(
  errors: FieldError[],
  spec: CustomResourceDefinitionSpec,
  versions: readonly CustomResourceDefinitionVersion[],
): void {
  if (spec.validation?.openAPIV3Schema !== undefined) return;
  for (const [at, version] of versions.entries()) {
    if (version.schema?.openAPIV3Schema !== undefined) continue;
    const path = specPath.child('versions').index(at).child('schema', 'openAPIV3Schema');
    errors.push(required(path, 'schemas are required'));
  }
}

function validateVersions(
  errors: FieldError[],
  spec: CustomResourceDefinitionSpec,
  { catalog }: RuleContext,
): void {
  const versions = spec.versions ?? [];
  const path = specPath.child('versions');
  for (const [at, version] of versions.entries()) {
    reportInvalid(errors, path.index(at).child('name'), version.name, isDns1035Label(version.name));
    validateDeprecation(errors, version, path.index(at));
  }
  const show = (): VerbatimValue =>
    new VerbatimValue(
      goList(
        'apiextensions.CustomResourceDefinitionVersion',
        versions.map(
          (version) => renderGo(version, `${latest}beta1.CustomResourceDefinitionVersion`, catalog).text,
        ),
      ),
    );
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalidValue(path, show(), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalidValue(path, show(), detail));
  }
  // The older, single field follows the first version.
  const version = spec.version ?? '';
  if (version !== '') {
    reportInvalid(errors, specPath.child('version'), version, isDns1035Label(version));
    if (versions.length > 0 && versions[0]?.name !== version) {
      const detail = 'must match the first version in spec.versions';
      errors.push(invalidValue(specPath.child('version'), version, detail));
    }
  }
}

function validateDeprecation(
  errors: FieldError[],
  { deprecated, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  path: FieldPath,
): void {
  if (warning === undefined) return;
  const at = path.child('deprecationWarning');
  if (deprecated !== true) errors.push(invalidValue(at, warning, 'can only be set for deprecated versions'));
  if (Buffer.byteLength(warning) > 256)
    errors.push(invalidValue(at, warning, 'must be <= 256 characters long'));
  if (warning === '') errors.push(invalidValue(at, warning, 'must not be an empty string'));
  for (const [position, letter] of [...warning].entries()) {
    if (!/[\p{C}\p{Z}]/u.test(letter) || letter === ' ') continue;
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${position}`;
    errors.push(invalidValue(at, warning, detail));
    break;
  }
}

function validateNames(errors: FieldError[], names: CustomResourceDefinitionNames): void {
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names[field]) errors.push(required(namesPath.child(field)));
  }
  const { plural, singular = '', kind, listKind = '' } = names;
  const report = (path: FieldPath, value: string, prefix: string): void => {
    const text = prefix === '' ? value : value.toLowerCase();
    const problems = value === '' ? [] : isDns1035Label(text);
    if (problems.length > 0) errors.push(invalidValue(path, value, prefix + problems.join(',')));
  };
  const mixed = 'may have mixed case, but should otherwise match: ';
  report(namesPath.child('plural'), plural, '');
  report(namesPath.child('singular'), singular, '');
  report(namesPath.child('kind'), kind, mixed);
  report(namesPath.child('listKind'), listKind, mixed);
  for (const field of ['shortNames', 'categories'] as const) {
    for (const [at, name] of (names[field] ?? []).entries()) {
      const path = namesPath.child(field).index(at);
      const problems = isDns1035Label(name);
      if (problems.length > 0) errors.push(invalidValue(path, name, problems.join(',')));
    }
  }
  if (kind !== '' && kind === listKind) {
    errors.push(invalidValue(namesPath.child('listKind'), listKind, 'kind and listKind may not be the same'));
  }
}
