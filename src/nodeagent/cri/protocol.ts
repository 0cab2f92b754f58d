import protobuf from 'protobufjs/light.js';
import type { ImageServiceMethods, Int64, RuntimeServiceMethods } from './messages.ts';
import descriptor from './protocol.json' with { type: 'json' };

/** Methods of both services; no name is in both. */
export type Methods = RuntimeServiceMethods & ImageServiceMethods;
/** Name of a method, as the service definition spells it. */
export type MethodName = keyof Methods;
/** What may be sent for a message: any of its fields, at every depth. */
export type Sparse<Message> = Message extends Int64 | Uint8Array | string | boolean | null
  ? Message
  : Message extends readonly (infer Item)[]
    ? readonly Sparse<Item>[]
    : { readonly [Field in keyof Message]?: Sparse<Message[Field]> | undefined };
/** What may be sent to a method: fields that are left out have their default value. */
export type RequestOf<Name extends MethodName> = Sparse<Methods[Name][0]>;
/** What a method answers, with every field. */
export type AnswerOf<Name extends MethodName> = Methods[Name][1];

/** Versions of the interface that this driver speaks. Their messages are equal; only the paths differ. */
export type ApiVersion = 'v1' | 'v1alpha2';

/** Wire format of one method. */
export interface Method<Name extends MethodName> {
  /** Path of the method in a version of the interface. */
  readonly path: (version: ApiVersion) => string;
  readonly encode: (request: RequestOf<Name>) => Buffer;
  readonly decode: (bytes: Buffer) => AnswerOf<Name>;
}

// Valid by construction: the import widens what the declarations of the library enumerate.
const root = protobuf.Root.fromJSON(descriptor as protobuf.INamespace);
const methods = new Map<MethodName, unknown>();

/** The wire format of a method; the same object each time. */
export function methodOf<Name extends MethodName>(name: Name): Method<Name> {
  const known = methods.get(name) ?? define(name);
  methods.set(name, known);
  // The map holds under each name what `define` made of it.
  return known as Method<Name>;
}

/** The number that a 64-bit field holds; beyond 2^53 the nearest one. */
export function toNumber(value: Int64): number {
  return typeof value === 'number' ? value : value.toNumber();
}

function define<Name extends MethodName>(name: Name): Method<Name> {
  const service = name in descriptor.nested.ImageService.methods ? 'ImageService' : 'RuntimeService';
  const { requestType, responseType } = root.lookupService(service).methods[name] ?? {};
  if (requestType === undefined || responseType === undefined) throw new TypeError(`no method ${name}`);
  const [request, answer] = [root.lookupType(requestType), root.lookupType(responseType)];
  return {
    path: (version) => `/runtime.${version}.${service}/${name}`,
    // Both hold by protocol.json: the encoder takes plain objects and writes into a Buffer on this platform, and the
    // decoder makes objects with these fields, defaults included.
    encode: (value) => request.encode(value).finish() as Buffer,
    decode: (bytes) => answer.decode(bytes) as unknown as AnswerOf<Name>,
  };
}
