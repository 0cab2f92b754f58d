import type { TypeCatalog } from '../../schema/catalog.ts';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../../schema/identities.ts';
import { parseJson } from '../parse-json.ts';
import { fieldsV1Codec, jsonCodec, rawExtensionCodec, unknownCodec } from './embedded.ts';
import {
  decodeEnvelope,
  type EnvelopeTypeMeta,
  fieldHeader,
  hasEnvelope,
  rawFieldNumber,
} from './envelope.ts';
import { hasProtobufForm, makePlan } from './make-plan.ts';
import type { MessagePlan } from './message-plan.ts';
import { NoProtobufFormError } from './protobuf-error.ts';
import { readMessage } from './read-message.ts';
import { Reader } from './reader.ts';
import { scalarCodecs } from './scalars.ts';
import { schemaOrCodec } from './schema-or.ts';
import { durationCodec, intOrStringCodec, listMessageCodec, quantityCodec } from './small-messages.ts';
import { createMicroTimeCodec, createTimeCodec } from './times.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes } from './wire.ts';
import { writeMessage } from './write-message.ts';
import { BackwardWriter } from './writer.ts';

/** A type's functions between canonical objects and messages. */
export interface ProtobufMessage {
  /** Key in the catalog, for example `v1.Pod`. */
  readonly name: string;
  /** In the message of a list of objects: the number of the field that holds them. */
  readonly itemsFieldNumber: number | undefined;
  /**
   * The message of an object, without envelope; kind and apiVersion are not in it. Byte for byte what the
   * reference writes for the same object.
   *
   * @throws TypeError when the object is not of the type.
   */
  encode(object: object): Buffer;
  /**
   * The same as a field with a length. Without a number it is the field that an envelope has for its message
   * and lists have for their items, so that one result, kept, serves both (`encodeEnvelope`, `encodeList`).
   */
  encodeFramed(object: object, fieldNumber?: number): Buffer;
  /**
   * The object of a message in canonical form, with kind and apiVersion of `typeMeta` if it is given. The
   * bytes may be anything.
   *
   * @throws ProtobufError with gogo/protobuf's text and the path of the field.
   */
  decode(bytes: Uint8Array, typeMeta?: EnvelopeTypeMeta): Record<string, unknown>;
}

/** Makes messages of a catalog's types, each once. Its messages share memory: one encodes at a time. */
export interface ProtobufCompiler {
  /** @throws NoProtobufFormError when the type is unknown or has no Protobuf form. */
  type(name: string): ProtobufMessage;
  /** @throws NoProtobufFormError for custom resources, tables and unknown kinds. */
  kind(gvk: GroupVersionKind): ProtobufMessage;
  /** False where `kind` throws. */
  hasKind(gvk: GroupVersionKind): boolean;
}

/** A compiler over a catalog; types are compiled when they are first used. */
export function createProtobufCompiler(catalog: TypeCatalog): ProtobufCompiler {
  const codecs = new Map<string, ValueCodec>();
  const messages = new Map<string, ProtobufMessage>();
  const out = new BackwardWriter();

  const readEmbedded = (bytes: Buffer): unknown => {
    if (!hasEnvelope(bytes)) return parseJson(bytes);
    const { raw, apiVersion, kind } = decodeEnvelope(bytes);
    const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
    return compiler.kind({ group, version, kind }).decode(raw, { apiVersion, kind });
  };
  const own = ownCodecs(readEmbedded);
  const codecOf = (type: string): ValueCodec => {
    let codec = codecs.get(type);
    if (codec === undefined) {
      codec = own[type.slice(type.lastIndexOf('.') + 1)] ?? specialCodec(type, codecOf) ?? structOf(type);
      codecs.set(type, codec);
    }
    return codec;
  };
  const structOf = (type: string): ValueCodec => structCodec(() => planOf(type));
  const planOf = (type: string): MessagePlan => {
    const data = catalog.find(type);
    if (data === undefined || !hasProtobufForm(data)) throw new NoProtobufFormError(type);
    return makePlan(type, data, codecOf);
  };
  const compiler: ProtobufCompiler = {
    type(name) {
      let message = messages.get(name);
      if (message === undefined) {
        message = makeMessage(name, planOf(name), out);
        messages.set(name, message);
      }
      return message;
    },
    kind(gvk) {
      const type = catalog.kind(gvk);
      if (type === undefined) {
        throw new NoProtobufFormError(`${gvk.kind} in ${formatGroupVersion(gvk.group, gvk.version)}`);
      }
      return compiler.type(type.name);
    },
    hasKind(gvk) {
      const type = catalog.kind(gvk);
      const data = type === undefined ? undefined : catalog.find(type.name);
      return data !== undefined && hasProtobufForm(data);
    },
  };
  return compiler;
}

/**
 * The message of one type, compiled by a compiler of its own.
 *
 * @throws NoProtobufFormError when the type is unknown or has no Protobuf form.
 */
export function compileProtobuf(type: string, catalog: TypeCatalog): ProtobufMessage {
  return createProtobufCompiler(catalog).type(type);
}

/** Codecs of types with their own form, by the last part of their key; groups differ only in spelling. */
function ownCodecs(readEmbedded: (bytes: Buffer) => unknown): Readonly<Record<string, ValueCodec>> {
  return {
    ...scalarCodecs,
    Quantity: quantityCodec,
    IntOrString: intOrStringCodec,
    Time: createTimeCodec(),
    MicroTime: createMicroTimeCodec(),
    Duration: durationCodec,
    FieldsV1: fieldsV1Codec,
    RawExtension: rawExtensionCodec(readEmbedded),
    Unknown: unknownCodec(readEmbedded),
    JSON: jsonCodec,
  };
}

function specialCodec(type: string, codecOf: (type: string) => ValueCodec): ValueCodec | undefined {
  const short = type.slice(type.lastIndexOf('.') + 1);
  switch (short) {
    case 'Verbs':
    case 'ExtraValue':
      return listMessageCodec(short);
    case 'JSONSchemaPropsOrArray':
    case 'JSONSchemaPropsOrBool':
    case 'JSONSchemaPropsOrStringArray':
      return schemaOrCodec(short, () => codecOf(`${type.slice(0, type.lastIndexOf('.'))}.JSONSchemaProps`));
    default:
      return undefined;
  }
}

const nothing: Readonly<Record<string, unknown>> = Object.freeze({});
const noBytes = new Uint8Array(0);

/** A message as the value of a field. The plan is made at first use: types may contain themselves. */
function structCodec(makeOwnPlan: () => MessagePlan): ValueCodec {
  let made: MessagePlan | undefined;
  const plan = (): MessagePlan => {
    made ??= makeOwnPlan();
    return made;
  };
  return {
    wire: wireBytes,
    shape: 'struct',
    write(out, value) {
      if (value !== undefined && value !== null && typeof value !== 'object') {
        throw new TypeError(`encode ${plan().typeName} in Protobuf: not an object: ${typeof value}`);
      }
      const before = out.size;
      // A value that is an object; what the type does not know is not looked at.
      writeMessage(out, plan(), (value as Record<string, unknown> | null | undefined) ?? nothing);
      out.varint(out.size - before);
    },
    read: (input, end) => readMessage(input, plan(), { parts: [input.at, end] }),
    merge: (input, parts) => readMessage(input, plan(), { parts }),
    zero: () => readMessage(new Reader(noBytes), plan(), { parts: [] }),
  };
}

function makeMessage(name: string, plan: MessagePlan, out: BackwardWriter): ProtobufMessage {
  const encodeWith = (object: object, finish: () => void): Buffer => {
    // What an encoding that failed has left behind.
    out.reset();
    writeMessage(out, plan, object as Record<string, unknown>);
    finish();
    return out.take();
  };
  const items = plan.wireFields.find((field) => field.name === 'items' && field.form === 'list');
  return {
    name,
    itemsFieldNumber: items?.number,
    encode: (object) => encodeWith(object, () => undefined),
    encodeFramed: (object, fieldNumber = rawFieldNumber) =>
      encodeWith(object, () => out.bytes(fieldHeader(fieldNumber, out.size))),
    decode(bytes, typeMeta) {
      return readMessage(new Reader(bytes), plan, { parts: [0, bytes.length], typeMeta });
    },
  };
}
