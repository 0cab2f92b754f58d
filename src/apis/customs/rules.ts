import { isJsonObject } from '../../base/index.ts';
import type { SchemaRules } from '../../machinery/cel/index.ts';
import { FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { CustomSchema } from '../../machinery/schema/structural/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';
import type { VersionOutline } from './definition.ts';
import { membersOf } from './object-type.ts';
import { validateScaleSpec, validateScaleStatus } from './scale.ts';

/** What rules need of a version; schemas are compiled when an object first needs them. */
export interface RuleSources {
  readonly outline: Pick<VersionOutline, 'hasStatus' | 'scale'>;
  readonly kind: string;
  readonly apiVersion: string;
  schema(): CustomSchema;
  /** Rules of the schema; undefined when it has none, or the server runs none. */
  schemaRules(): SchemaRules | undefined;
  /** Of the member `status` alone; undefined when the schema says nothing of it. */
  statusSchema(): CustomSchema | undefined;
}

/** The rules of the objects of one version, in whose form the objects are. Source: apiextensions, `customresource/strategy`. */
export function createCustomRules({
  outline,
  kind,
  apiVersion,
  schema,
  schemaRules,
  statusSchema,
}: RuleSources): KindRules {
  const { hasStatus, scale } = outline;
  const validateObject = (object: ApiObject, old: ApiObject | undefined): FieldError[] => {
    const wrong = typeErrors(object, { kind, apiVersion });
    if (wrong.length > 0) return wrong;
    const fields = membersOf(object);
    return [
      ...schema().validateValues(fields),
      ...validateScaleSpec(fields, scale),
      ...validateScaleStatus(fields, scale),
      ...schema().validateMarkers(fields, old && membersOf(old)),
    ];
  };
  /** Rules rely on what the schema says otherwise. */
  const validateSteps: KindRules['validateSteps'] = (object, old, { warn = () => {} }) =>
    schemaRules()?.validate(membersOf(object), old && membersOf(old), warn);
  return {
    validateName: nameIsDnsSubdomain,
    allowsAnyFinalizer: true,
    allowsUnconditionalUpdate: false,
    hasGeneration: true,
    isUntyped: true,
    hasStatus,
    prepareForCreate(object) {
      if (hasStatus) delete membersOf(object).status;
    },
    validate: (object) => validateObject(object, undefined),
    validateUpdate: (object, old) => validateObject(object, old),
    validateSteps,
    status: {
      // All but the status and the record of who owns it stays.
      prepareForUpdate(object, old) {
        object.kind = old.kind;
        object.apiVersion = old.apiVersion;
        object.metadata = { ...old.metadata, managedFields: object.metadata.managedFields };
      },
      validateSteps,
      validateUpdate(object) {
        const fields = membersOf(object);
        const { status } = fields;
        const below = isJsonObject(status) ? (statusSchema()?.validateValues(status) ?? []) : [];
        return [...below.map(inStatus), ...validateScaleStatus(fields, scale)];
      },
    },
  };
}

type Identity = Pick<ApiObject, 'kind' | 'apiVersion'>;

/** Errors of what an object says that it is. */
function typeErrors(object: Identity, { kind, apiVersion }: Identity): FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== kind) errors.push(invalidValue(fieldPath('kind'), object.kind, `must be ${kind}`));
  if (object.apiVersion !== apiVersion)
    errors.push(invalidValue(fieldPath('apiVersion'), object.apiVersion, `must be ${apiVersion}`));
  return errors;
}

const statusPath = fieldPath('status');

/** The error of a schema that was asked about the status alone, with the status before its path. */
function inStatus({ kind, path, value, detail }: FieldError): FieldError {
  const text = path.toString();
  return new FieldError(kind, text === '' ? statusPath : statusPath.child(text), value, detail);
}
