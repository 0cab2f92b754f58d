import { createTypeCatalog } from '../../apis/catalog.ts';
import {
  createKindFamilies,
  createObjectConverter,
  type KindFamilies,
  type ObjectConverter,
} from '../../apis/conversions/index.ts';
import { type ApplyDefaults, createDefaulter } from '../../apis/defaults/index.ts';
import { effectiveFeatureGates } from '../../config/serve/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type CompiledType, parseGroupVersion, type TypeCatalog } from '../../machinery/schema/index.ts';

import { createFieldTranslator, type FieldTranslator } from './field-moves.ts';

/** What is known of the built-in kinds, as a server with default gates knows it. */
export interface ConversionModel {
  readonly dialect: Dialect;
  readonly gates: ReadonlySet<string>;
  readonly catalog: TypeCatalog;
  readonly families: KindFamilies;
  readonly convert: ObjectConverter;
  readonly applyDefaults: ApplyDefaults;
  /** Rules name fields as one version has them, mostly the stored one. */
  readonly translateField: FieldTranslator;
  /** The type of a built-in kind. @throws RangeError when there is none */
  typeOf(groupVersion: string, kind: string): CompiledType;
}

/** Makes the model; all of it is loaded with this module, which only `ctl convert` needs. */
export function createConversionModel(dialect: Dialect): ConversionModel {
  const catalog = createTypeCatalog(dialect);
  const isOn = Object.entries(effectiveFeatureGates({})).filter(([, enabled]) => enabled);
  const gates = new Set(isOn.map(([name]) => name));
  return {
    dialect,
    gates,
    catalog,
    families: createKindFamilies(dialect, catalog),
    convert: createObjectConverter(dialect, catalog),
    applyDefaults: createDefaulter({ dialect, catalog, gates }),
    translateField: createFieldTranslator(dialect),
    typeOf(groupVersion, kind) {
      const parsed = parseGroupVersion(groupVersion);
      const type = parsed && catalog.kind({ ...parsed, kind });
      if (type === undefined) throw new RangeError(`no ${kind} in version ${groupVersion}`);
      return type;
    },
  };
}
