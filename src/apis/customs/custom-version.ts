import { isJsonObject } from '../../base/index.ts';
import {
  type ApplySchema,
  type CustomSchemaOptions,
  compileCustomApplySchema,
} from '../../machinery/apply/index.ts';
import { readSchemaRules, type SchemaRules } from '../../machinery/cel/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type ApiObject, isApiObject } from '../../machinery/meta/index.ts';
import { type CompiledType, DecodeError, formatGroupVersion } from '../../machinery/schema/index.ts';
import type { CustomSchema } from '../../machinery/schema/structural/index.ts';
import type { CustomSchemaCompiler } from '../apiextensions/index.ts';
import type { KindRules } from '../kind-rules.ts';
import type { ServedResource } from '../resources/index.ts';
import type { TablePrinter } from '../tables/index.ts';
import { createColumnPrinter } from './columns.ts';
import type { DefinitionOutline, VersionDetails, VersionOutline } from './definition.ts';
import { createObjectType, membersOf } from './object-type.ts';
import { createCustomRules } from './rules.ts';
import { servedResource } from './served-resources.ts';

/** What the versions of all definitions are compiled with. */
export interface CustomSources {
  readonly dialect: Dialect;
  readonly compileSchema: CustomSchemaCompiler;
  /** Whether rules in schemas (`x-…-validations`) count; not when left out. */
  readonly runsRules?: boolean | undefined;
  /** Type of object metadata. */
  readonly metadata: CompiledType;
  /** View of object metadata, for the record of owners. */
  readonly metadataView: CustomSchemaOptions['metadata'];
}

/** What is compiled of a version's details; let go when nobody has used it for a while. */
interface Compiled {
  readonly schema: CustomSchema;
  readonly statusSchema: CustomSchema | undefined;
  readonly rules: SchemaRules | undefined;
  readonly views: ApplySchema;
  readonly printer: TablePrinter;
}

/** One version of a custom kind: data like that of a built-in one. What costs memory is compiled when it is first needed. */
export class CustomVersion {
  readonly outline: VersionOutline;
  readonly info: ServedResource;
  readonly type: CompiledType;
  readonly rules: KindRules;
  /** Columns are read when a client first asks for a Table. */
  readonly printer: TablePrinter;
  readonly #sources: CustomSources;
  readonly #load: () => VersionDetails;
  #compiled: Compiled | undefined;
  #wasUsed = false;

  /** @param load reads schema and columns from the definition. */
  constructor(
    definition: DefinitionOutline,
    outline: VersionOutline,
    sources: CustomSources,
    load: () => VersionDetails,
  ) {
    this.outline = outline;
    this.#sources = sources;
    this.#load = load;
    this.info = servedResource(definition, outline);
    this.type = createObjectType({ ...this.info, metadata: sources.metadata });
    this.rules = createCustomRules({
      outline,
      kind: this.info.kind,
      apiVersion: formatGroupVersion(this.info.group, this.info.version),
      schema: () => this.#parts().schema,
      schemaRules: () => this.#parts().rules,
      statusSchema: () => this.#parts().statusSchema,
    });
    const printer = () => this.#parts().printer;
    this.printer = {
      get columns() {
        return printer().columns;
      },
      row: (object, nowMs) => printer().row(object, nowMs),
    };
  }

  get metadataType(): CompiledType {
    return this.#sources.metadata;
  }

  /** How the record of owners sees objects. */
  get views(): ApplySchema {
    return this.#parts().views;
  }

  /** Schema in OpenAPI v3 as the definition has it; read anew each time. */
  get openApiSchema(): unknown {
    return this.#load().schema;
  }

  /**
   * Sets defaults and removes what the version does not know, in place; also nulls where there may be none, unless they are kept.
   *
   * @throws DecodeError when metadata of an embedded object does not fit, or an object takes too many defaults, unless what
   *   does not fit is dropped.
   */
  settle(
    object: object,
    { dropsInvalid, keepsNulls = false }: { readonly dropsInvalid: boolean; readonly keepsNulls?: boolean },
  ): void {
    const { schema } = this.#parts();
    const fields = membersOf(object);
    if (schema.isSettled(fields)) return;
    const hasAll = schema.applyDefaults(fields, { keepsNulls });
    if (!hasAll && !dropsInvalid) throw new DecodeError('the defaults of the schema are too large for it');
    this.prune(fields);
    const error = schema.coerceEmbedded(fields, { dropsInvalid });
    if (error !== undefined) throw new DecodeError(error.toString());
  }

  /** True when `settle` is known to leave an object as it is, without changing anything. */
  isSettled(object: object): boolean {
    return this.#parts().schema.isSettled(membersOf(object));
  }

  /** An object of any version of the kind, as it was parsed; metadata that does not fit is dropped. @throws DecodeError */
  decodeLeniently(value: unknown): ApiObject {
    const object = this.type.decodeLeniently?.(value);
    if (!isApiObject(object)) throw new DecodeError('it does not say what it is');
    return object;
  }

  /** Removes what the version does not know, in place. */
  prune(object: object): void {
    this.#parts().schema.prune(membersOf(object));
  }

  /** Takes over what was compiled of a version that says the same. */
  inherit(other: CustomVersion): void {
    this.#compiled = other.#compiled;
    this.#wasUsed = other.#wasUsed;
  }

  /** Lets go what was compiled, unless it was used since the last call. */
  forgetIdle(): void {
    if (!this.#wasUsed) this.#compiled = undefined;
    this.#wasUsed = false;
  }

  #parts(): Compiled {
    this.#wasUsed = true;
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  #compile(): Compiled {
    const { dialect, compileSchema, metadataView, runsRules = false } = this.#sources;
    const { schema, columns, preservesUnknownFields, lacksModels } = this.#load();
    const { group, version, kind } = this.info;
    const node = isJsonObject(schema) ? schema : undefined;
    const properties = node?.properties;
    const status = isJsonObject(properties) ? properties.status : undefined;
    return {
      schema: compileSchema(node, { preservesUnknownFields }),
      rules: node === undefined || !runsRules ? undefined : readSchemaRules(node, dialect),
      statusSchema: isJsonObject(status) ? compileSchema(status, { preservesUnknownFields }) : undefined,
      // Release 1.20 knows no fields of a definition whose schemas give no models.
      views: compileCustomApplySchema({
        schema,
        isUndeclared: lacksModels,
        extensionPrefix: dialect.extensionPrefix,
        metadata: metadataView,
        preservesUnknownFields,
        apiVersion: formatGroupVersion(group, version),
        kind,
      }),
      printer: createColumnPrinter(columns),
    };
  }
}
