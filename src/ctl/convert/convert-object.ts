import type { ConvertRequest, KindFamily } from '../../apis/conversions/index.ts';
import { type CompiledType, DecodeError, parseGroupVersion } from '../../machinery/schema/index.ts';
import { CtlError } from '../errors.ts';
import { findChangedDefaults } from './default-notices.ts';
import { type Fault, findFaults } from './find-faults.ts';
import { findLosses } from './loss-notices.ts';
import type { ManifestObject } from './manifest-object.ts';
import type { ConversionModel } from './model.ts';
import type { Notice } from './notice.ts';
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

/** An object in its new version, or as it is when it does not fit its kind, and what there is to say about it. */
export interface ConvertedObject {
  readonly object: Readonly<Record<string, unknown>>;
  readonly notices: readonly Notice[];
  /** Fields that its kind does not have. */
  readonly unknown: readonly Fault[];
  /** True when those do not come out of the conversion. */
  readonly losesUnknown?: boolean;
  /** Why it could not be converted; none when it was. */
  readonly faults: readonly Fault[];
}

/**
 * Converts one object of a manifest with the conversions and defaults of a server. Kinds that are not built in, and
 * objects that are in the right version, stay as they are.
 *
 * @throws CtlError when a value in it that has a meaning in one version makes no sense.
 */
export function convertObject(object: ManifestObject, request: ConversionRequest): ConvertedObject {
  const { model } = request;
  const { apiVersion: from, kind } = object;
  const parsed = parseGroupVersion(from);
  const family = parsed && model.families.find({ ...parsed, kind });
  if (family === undefined) {
    const text = `${from} ${kind} is not built in and stays as it is`;
    return {
      object: tidyUnknown(object),
      notices: [{ level: 'note', path: '', text }],
      unknown: [],
      faults: [],
    };
  }
  const { to, notices } = chooseVersion(family, from, request.outputVersion);
  const type = model.typeOf(from, kind);
  const { unknown, mismatched } = findFaults(model.catalog, type.name, object);
  const written = decode(type, object);
  if (typeof written === 'string') {
    // What no value of its own is at fault for, the reader says in its words.
    const faults = mismatched.length > 0 ? mismatched : [{ path: [], text: written }];
    return { object, notices: [], unknown, faults };
  }
  const keepsStatus = !isBlank(object.status);
  if (to === from) {
    const refusals = request.namesAllRefusals
      ? findRefusals({ model, request: { family, from, to }, source: written, target: written })
      : [];
    const tidy = tidyObject(model.catalog, type.name, object, { keepsStatus });
    return { object: tidy, notices: [...notices, ...refusals], unknown, faults: [] };
  }
  const way: ConvertRequest = { family, from, to };
  const source = type.canonicalize(written);
  model.applyDefaults(type.name, source);
  const target = convertDecoded(model, source, way);
  return {
    object: tidyObject(model.catalog, model.typeOf(to, kind).name, target, { keepsStatus }),
    notices: [
      ...notices,
      ...findLosses({ model, request: way, source, target, keepsStatus }),
      ...findChangedDefaults({ model, request: way, written, target, keepsStatus }),
      ...findRefusals({ model, request: way, source, target }).filter(
        ({ isNew }) => isNew || request.namesAllRefusals,
      ),
    ],
    unknown,
    losesUnknown: true,
    faults: [],
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

/** The object as its type reads it, or why it does not. */
function decode(type: CompiledType, object: unknown): ReturnType<CompiledType['decode']> | string {
  try {
    return type.decode(object);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function convertDecoded(
  model: ConversionModel,
  source: Parameters<ConversionModel['convert']>[0],
  way: ConvertRequest,
): ReturnType<ConversionModel['convert']> {
  try {
    return model.convert(source, way);
  } catch (error) {
    if (error instanceof DecodeError) throw new CtlError(error.message, { cause: error });
    throw error;
  }
}
