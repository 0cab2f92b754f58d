import {
  type FieldError,
  type FieldPath,
  invalidValue,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import { type ExtensionNames, type SchemaNode, textAt } from '../../machinery/schema/structural/index.ts';

/** Fields that a root may have whose `status` is also checked alone, as release 1.20 lists them. */
const allowedFields =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern ' +
  'MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields';
const allowedNames: ReadonlySet<string> = new Set(
  allowedFields.split(' ').map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
);
/** Fields that are looked at before the type. */
const firstFields = ['id', '$schema', '$ref'] as const;

/** Lists and maps that a root may not have, not even without entries: release 1.20 looks whether they are there. */
const refusedWhenEmpty = (names: ExtensionNames): readonly string[] => [
  ...['enum', 'allOf', 'oneOf', 'anyOf', 'patternProperties', 'dependencies', 'definitions'],
  names.listMapKeys,
];

/** Fields without a pointer in Go: false or an empty text there says nothing. All others say something by being there. */
const plainFields = ({ embedded, intOrString }: ExtensionNames): readonly string[] => [
  ...['id', '$schema', 'nullable'],
  embedded,
  intOrString,
];

/**
 * Adds the error of a root schema that says more than its properties, for definitions with a status subresource:
 * the status is checked by the schema of its property alone, and what the root says of it would be lost.
 */
export function validateStatusRoot(
  errors: FieldError[],
  root: SchemaNode,
  path: FieldPath,
  names: ExtensionNames,
): void {
  const refuse = (): void => {
    const detail = `only [${allowedFields}] fields are allowed at the root of the schema if the status subresource is enabled`;
    errors.push(invalidValue(path, new VerbatimValue(JSON.stringify(root)), detail));
  };
  const plain = plainFields(names);
  const isSet = (name: string): boolean =>
    root[name] !== undefined && (!plain.includes(name) || Boolean(root[name]));
  if (firstFields.some(isSet)) {
    refuse();
    return;
  }
  const type = textAt(root, 'type');
  if (type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalidValue(path.child('type'), type, detail));
    return;
  }
  const isAllowed = (name: string): boolean => allowedNames.has(name) || name === names.preserve;
  const isRefused = Object.keys(root).some((name) => isSet(name) && !isAllowed(name));
  if (isRefused || refusedWhenEmpty(names).some((name) => wasGivenEmpty(root, name))) refuse();
}
