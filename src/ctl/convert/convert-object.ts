import type { ConvertRequest, KindFamily } from '../../apis/conversions/index.ts';
import { isJsonObject } from '../../base/index.ts';
import { DecodeError, parseGroupVersion, type TypeCatalog } from '../../machinery/schema/index.ts';
import { CtlError } from '../errors.ts';
import { join } from './compare.ts';
import { findChangedDefaults } from './default-notices.ts';
import { findLosses } from './loss-notices.ts';
import type { ManifestObject } from './manifest-object.ts';
import type { ConversionModel } from './model.ts';
import { type Notice, showValue } from './notice.ts';
import { findRefusals } from './rule-notices.ts';
import { isBlank, tidyObject, tidyUnknown } from './tidy.ts';

/** How to convert. */
export interface ConversionRequest {
  readonly model: ConversionModel;
  /** Version wished for (`group/version`); the preferred one of the kind when left out. */
  readonly outputVersion?: string | undefined;
  /** All that a server would refuse is named, not only what was fine before. */
  readonly namesAllRefusals: boolean;
}

/** An object in its new version, and what there is to say about it. */
export interface ConvertedObject {
  readonly object: Readonly<Record<string, unknown>>;
  readonly notices: readonly Notice[];
}

/**
 * Converts one object of a manifest with the conversions and defaults of a server. Kinds that are not built in, and
 * objects that are in the right version, stay as they are.
 *
 * @throws CtlError when the object does not fit its kind.
 */
export function convertObject(object: ManifestObject, request: ConversionRequest): ConvertedObject {
  const { model } = request;
  const { apiVersion: from, kind } = object;
  const parsed = parseGroupVersion(from);
  const family = parsed && model.families.find({ ...parsed, kind });
  if (family === undefined) {
    const text = `${from} ${kind} is not built in and stays as it is`;
    return { object: tidyUnknown(object), notices: [{ level: 'note', path: '', text }] };
  }
  const { to, notices } = chooseVersion(family, from, request.outputVersion);
  const type = model.typeOf(from, kind);
  const written = decode(() => type.decode(object));
  const unknown = findUnknownFields(model.catalog, type.name, object, { isLost: to !== from });
  const keepsStatus = !isBlank(object.status);
  if (to === from) {
    const refusals = request.namesAllRefusals
      ? findRefusals({ model, request: { family, from, to }, source: written, target: written })
      : [];
    const tidy = tidyObject(model.catalog, type.name, object, { keepsStatus });
    return { object: tidy, notices: [...notices, ...unknown, ...refusals] };
  }
  const way: ConvertRequest = { family, from, to };
  const source = type.canonicalize(written);
  model.applyDefaults(type.name, source);
  const target = decode(() => model.convert(source, way));
  return {
    object: tidyObject(model.catalog, model.typeOf(to, kind).name, target, { keepsStatus }),
    notices: [
      ...notices,
      ...unknown,
      ...findLosses({ model, request: way, source, target, keepsStatus }),
      ...findChangedDefaults({ model, request: way, written, target, keepsStatus }),
      ...findRefusals({ model, request: way, source, target }).filter(
        ({ isNew }) => isNew || request.namesAllRefusals,
      ),
    ],
  };
}

function chooseVersion(
  family: KindFamily,
  from: string,
  wanted: string | undefined,
): { to: string; notices: readonly Notice[] } {
  if (wanted !== undefined && family.versions.includes(wanted)) return { to: wanted, notices: [] };
  if (wanted === undefined) return { to: family.preferredFrom(from), notices: [] };
  const to = family.replacementFrom(from) ?? from;
  const what = to === from ? `it stays in ${to}` : `converted to ${to}`;
  return { to, notices: [{ level: 'note', path: '', text: `${wanted} has no ${family.kind}; ${what}` }] };
}

function decode<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof DecodeError) throw new CtlError(error.message, { cause: error });
    throw error;
  }
}

/** Types whose values are JSON of any shape, or have fields that their own form does not show. */
const opaqueTypes =
  /^(resource|intstr|runtime)\.|\.(Time|MicroTime|Duration|FieldsV1|Verbs|ExtraValue|JSON|JSONSchemaPropsOr\w+)$/;

/** What becomes of unknown fields. */
interface UnknownFieldFate {
  /** They do not come out of the conversion. */
  readonly isLost: boolean;
}

/** The fields of an object that its type does not have. */
function findUnknownFields(
  catalog: TypeCatalog,
  typeName: string,
  object: unknown,
  { isLost }: UnknownFieldFate,
): Notice[] {
  const notices: Notice[] = [];
  const visit = (type: string, value: unknown, path: string): void => {
    if (type.startsWith('list<')) {
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) visit(type.slice(5, -1), item, `${path}[${index}]`);
    } else if (!isJsonObject(value) || opaqueTypes.test(type)) return;
    else if (type.startsWith('map<string,')) {
      for (const [key, item] of Object.entries(value)) visit(type.slice(11, -1), item, `${path}[${key}]`);
    } else if (type.includes('.')) {
      const fields = new Map(catalog.type(type).fields.map((field) => [field.name, field.type]));
      for (const [name, item] of Object.entries(value)) {
        const fieldType = fields.get(name);
        const fieldPath = join(path, name);
        if (fieldType !== undefined) visit(fieldType, item, fieldPath);
        else if (item !== null) {
          notices.push({
            level: 'unknown',
            path: fieldPath,
            text: `${isLost ? `lost ${showValue(item)}: ` : ''}there is no such field`,
          });
        }
      }
    }
  };
  visit(typeName, object, '');
  return notices;
}
