import protobuf from 'protobufjs/light.js';

/** Request and answer of each method of a service. */
export type MethodTable = Readonly<Record<string, readonly [request: object, answer: object]>>;

/** A service by its full name, such as `csi.v1.Node`, and where its messages are described. */
export interface ServiceDescription {
  readonly service: string;
  /** A descriptor of protobuf.js in its JSON form, field names as in the definition. */
  readonly descriptor: object;
}

/** Wire format of one method. */
export interface MethodCodec<Request extends object, Answer extends object> {
  /** Such as `/csi.v1.Node/NodeGetInfo`. */
  readonly path: string;
  readonly encodeRequest: (request: Request) => Buffer;
  readonly encodeAnswer: (answer: Answer) => Buffer;
  /** All fields are there, with their defaults; numbers of 64 bits become the nearest number. @throws Error */
  readonly decodeRequest: (bytes: Buffer) => Request;
  /** As `decodeRequest`. @throws Error */
  readonly decodeAnswer: (bytes: Buffer) => Answer;
}

/** The wire formats of one service, each made when it is first asked for. */
export class ServiceCodec<Methods extends MethodTable> {
  readonly #service: protobuf.Service;
  readonly #name: string;

  /** @throws Error when the descriptor has no such service */
  constructor({ service, descriptor }: ServiceDescription) {
    // `Object` lets it be any: the type of an imported JSON file is wider than what the library's type enumerates.
    this.#service = protobuf.Root.fromJSON(Object(descriptor)).lookupService(service);
    this.#name = service;
  }

  /** @throws TypeError when the service has no such method */
  methodOf<Name extends keyof Methods & string>(name: Name): MethodCodec<Methods[Name][0], Methods[Name][1]> {
    const method = this.#service.methods[name];
    if (method === undefined) throw new TypeError(`${this.#name} has no method ${name}`);
    const request = this.#service.lookupType(method.requestType);
    const answer = this.#service.lookupType(method.responseType);
    return {
      path: `/${this.#name}/${name}`,
      encodeRequest: (value) => encode(request, value),
      encodeAnswer: (value) => encode(answer, value),
      decodeRequest: (bytes) => decode(request, bytes),
      decodeAnswer: (bytes) => decode(answer, bytes),
    };
  }
}

/** Wire format of one message, for those that are kept. */
export class MessageCodec<Message extends object> {
  readonly #type: protobuf.Type;

  /** @throws Error when the descriptor has no such message */
  constructor({ message, descriptor }: { readonly message: string; readonly descriptor: object }) {
    this.#type = protobuf.Root.fromJSON(Object(descriptor)).lookupType(message);
  }

  encode(value: Message): Buffer {
    return encode(this.#type, value);
  }

  /** All fields are there, with their defaults. @throws Error for bytes that are no message */
  decode(bytes: Uint8Array): Message {
    return decode(this.#type, bytes);
  }
}

function encode(type: protobuf.Type, value: object): Buffer {
  const bytes = type.encode(value).finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decode<T extends object>(type: protobuf.Type, bytes: Uint8Array): T {
  const plain = type.toObject(type.decode(bytes), { longs: Number, defaults: true });
  // Holds by the descriptor: the interface of the message has its fields.
  return plain as T;
}
