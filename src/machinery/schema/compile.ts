import { type CompiledField, type CompiledType, DecodeError } from './catalog.ts';
import type { Codec, ExplainedField } from './codec.ts';
import { listCodec, mapCodec } from './containers.ts';
import { explainMismatch } from './explain.ts';
import { goFieldName, goTypeName, goTypeOf, listElement, mapElement } from './go-names.ts';
import { Mismatch } from './mismatch.ts';
import { readRepeated } from './repeated-members.ts';
import { scalarCodecs } from './scalars.ts';
import { schemaOr, specialCodecs } from './specials.ts';
import { structCodec } from './struct.ts';
import type { FieldData, TypeData, TypeSource } from './type-data.ts';

/** Turns types into functions, each once. */
export interface TypeCompiler {
  /** @throws RangeError when the source has no such type. */
  type(name: string): CompiledType;
}

/** A compiler over a source of types; types are read and compiled when they are first asked for. */
export function createTypeCompiler(source: TypeSource): TypeCompiler {
  const codecs = new Map<string, Codec>();
  const types = new Map<string, CompiledType>();

  const codecOf = (type: string): Codec => {
    const known = codecs.get(type);
    if (known !== undefined) return known;
    const codec = makeCodec(type, source, codecOf);
    codecs.set(type, codec);
    return codec;
  };
  const compile = (name: string): CompiledType => {
    const data = source.find(name);
    if (data === undefined) throw new RangeError(`type not found: ${JSON.stringify(name)}`);
    return compiledType(name, data, codecOf(name));
  };
  return {
    type(name) {
      let type = types.get(name);
      if (type === undefined) {
        type = compile(name);
        types.set(name, type);
      }
      return type;
    },
  };
}

function makeCodec(type: string, source: TypeSource, codecOf: (type: string) => Codec): Codec {
  const element = listElement(type);
  if (element !== undefined) return listCodec(codecOf(element), goTypeOf(type));
  const value = mapElement(type);
  if (value !== undefined) return mapCodec(codecOf(value));
  const scalar = scalarCodecs[type] ?? specialCodecs[type];
  if (scalar !== undefined) return scalar;
  const data = source.find(type);
  if (data?.f === undefined) return specialCodec(type, codecOf);
  const rows = jsonFields(data);
  let fields: readonly ExplainedField[] | undefined;
  return structCodec({
    goName: goTypeName(type),
    fields: () => {
      fields ??= rows.map((row) => ({
        data: row,
        goPath: goPathOf(row, type),
        codec: codecOfField(row, codecOf),
      }));
      return fields;
    },
  });
}

function specialCodec(type: string, codecOf: (type: string) => Codec): Codec {
  const short = type.slice(type.lastIndexOf('.') + 1);
  const known = specialCodecs[short];
  if (known !== undefined) return known;
  switch (short) {
    case 'Verbs':
    case 'ExtraValue':
      return listCodec(codecOf('string'), goTypeName(type));
    case 'JSONSchemaPropsOrArray':
    case 'JSONSchemaPropsOrBool':
    case 'JSONSchemaPropsOrStringArray': {
      const schema = `${type.slice(0, type.lastIndexOf('.'))}.JSONSchemaProps`;
      return schemaOr(short, () => codecOf(schema), goTypeName(schema));
    }
    default:
      throw new RangeError(`type not found: ${JSON.stringify(type)}`);
  }
}

/** Rows that stand in JSON: messages that are inlined there have their fields listed after them. */
function jsonFields(data: TypeData): readonly FieldData[] {
  return (data.f ?? []).filter((field) => field.inline === undefined && field.json !== '-');
}

/** Errors of a list of texts name the type that these have in Go. */
function codecOfField({ t, e }: FieldData, codecOf: (type: string) => Codec): Codec {
  const isNamed = e !== undefined && t === 'list<string>';
  return isNamed ? listCodec(codecOf('string'), `[]${goTypeName(e)}`) : codecOf(t);
}

function goPathOf(field: FieldData, type: string): readonly string[] {
  if (field.meta === 1) return ['TypeMeta', goFieldName(field.n)];
  if (field.n === 'metadata') return [goTypeName(field.t).replace(/^.*\./, '')];
  const name = field.go ?? goFieldName(field.n, type);
  return field.in === undefined ? [name] : [goFieldName(field.in), name];
}

function compiledField(field: FieldData): CompiledField {
  return {
    name: field.n,
    type: field.t,
    isPointer: field.ptr === 1,
    omitsEmpty: field.omit === 1,
    isRequired: field.req === 1,
    // The data knows these three words only.
    listType: field.listType as CompiledField['listType'],
    listMapKeys: field.listMapKeys,
    patchStrategies: field.patchStrategy ?? [],
    patchMergeKey: field.patchMergeKey,
  };
}

function compiledType(name: string, data: TypeData, codec: Codec): CompiledType {
  const decode = (value: unknown, text?: Buffer): Record<string, unknown> => {
    try {
      // A struct's codec gives an object; special types are asked for by name by nobody but tests.
      return codec.decode(value) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const written = text ?? Buffer.from(JSON.stringify(value) ?? 'null');
      throw new DecodeError(explainMismatch(codec, written) ?? `${goTypeName(name)}: value does not fit`);
    }
  };
  const isAtomic = data.structType === 'atomic';
  return {
    name,
    fields: jsonFields(data).map(compiledField),
    isAtomic,
    decode,
    reread(text) {
      const fault = explainMismatch(codec, text);
      if (fault !== undefined) throw new DecodeError(fault);
      return readRepeated(codec, text);
    },
    canonicalize: (value) => decode(value),
  };
}
