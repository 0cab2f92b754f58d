import { equalValues } from '../../machinery/apply/value/index.ts';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../types/apiextensions-v1beta1.ts';
import { goList, isDns1035Label, renderGo } from '../validation/index.ts';

/** Fields that stand at the top when all versions share them: what versions call them, and release 1.20 in its errors. */
const sharedFields = [
  ['validation', 'schema', 'schemas'],
  ['subresources', 'subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

/** Whether a field says something; columns do when there are some. */
const isThere = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Adds the errors of versions that do not go together, with each other or with what stands at the top. */
export function validateVersionsTogether(
  errors: FieldError[],
  spec: CustomResourceDefinitionSpec,
  specPath: FieldPath,
  { catalog }: RuleContext,
): void {
  const versions = spec.versions ?? [];
  const path = specPath.child('versions');
  const refuse = (detail: string): void => {
    const shown = versions.map(
      (version) =>
        renderGo(version, 'apiextensions.orch.io/v1beta1.CustomResourceDefinitionVersion', catalog).text,
    );
    const value = new VerbatimValue(goList('apiextensions.CustomResourceDefinitionVersion', shown));
    errors.push(invalidValue(path, value, detail));
  };
  for (const [top, field, words] of sharedFields) {
    if (!isThere(spec[top]) || !versions.some((version) => isThere(version[field]))) continue;
    const detail = `top-level and per-version ${words} are mutually exclusive`;
    errors.push(forbiddenField(specPath.child(top), detail));
  }
  for (const [top, field, words] of sharedFields) {
    const [first] = versions;
    if (!isThere(first?.[field])) continue;
    if (!versions.every((version) => equalValues(version[field], first?.[field]))) continue;
    refuse(
      `per-version ${words} may not all be set to identical values (top-level ${top} should be used instead)`,
    );
  }
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    refuse('must contain unique version names');
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    refuse('must have exactly one version marked as storage version');
  }
  validateFirstVersion(errors, spec, specPath);
}

/** The older, single field follows the first version. */
function validateFirstVersion(
  errors: FieldError[],
  { version = '', versions = [] }: CustomResourceDefinitionSpec,
  specPath: FieldPath,
): void {
  if (version === '') return;
  const path = specPath.child('version');
  const problems = isDns1035Label(version);
  if (problems.length > 0) errors.push(invalidValue(path, version, problems.join(',')));
  if (versions.length > 0 && versions[0]?.name !== version) {
    errors.push(invalidValue(path, version, 'must match the first version in spec.versions'));
  }
}

/** Adds the errors of what clients of a deprecated version are told. */
export function validateDeprecation(
  errors: FieldError[],
  { deprecated, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  path: FieldPath,
): void {
  if (warning === undefined) return;
  const at = path.child('deprecationWarning');
  const refuse = (detail: string): void => {
    errors.push(invalidValue(at, warning, detail));
  };
  if (deprecated !== true) {
    refuse('can only be set for deprecated versions');
    return;
  }
  if (Buffer.byteLength(warning) > 256) refuse('must be <= 256 characters long');
  if (warning === '') refuse('must not be an empty string');
  const position = warning.search(/(?! )[\p{C}\p{Z}]/u);
  if (position < 0) return;
  const byte = Buffer.byteLength(warning.slice(0, position));
  refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${byte}`);
}
