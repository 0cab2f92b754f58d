import { type ServiceDefinition, type ServiceError, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs/light.js';

/** Numbers stay numbers: what they count or name is small. */
const plain: protobuf.IConversionOptions = {
  defaults: true,
  arrays: true,
  objects: true,
  longs: Number,
  bytes: Buffer,
};

/** Messages and methods of one package of a Protobuf definition. */
export class Protocol {
  readonly #root: protobuf.Root;
  readonly #packageName: string;

  constructor(descriptor: object, packageName: string) {
    this.#root = protobuf.Root.fromJSON(descriptor as protobuf.INamespace); // the project's own data
    this.#packageName = packageName;
  }

  /** The methods of a service, as clients call and servers answer them. */
  service(name: string): ServiceDefinition {
    const service = this.#root.lookupService(`${this.#packageName}.${name}`);
    const methods = service.methodsArray.map((method) => {
      const request = service.lookupType(method.requestType);
      const answer = service.lookupType(method.responseType);
      return [
        method.name,
        {
          path: `/${this.#packageName}.${name}/${method.name}`,
          requestStream: false,
          responseStream: method.responseStream === true,
          requestSerialize: (value: object) => encode(request, value),
          requestDeserialize: (bytes: Buffer) => decode(request, bytes),
          responseSerialize: (value: object) => encode(answer, value),
          responseDeserialize: (bytes: Buffer) => decode(answer, bytes),
        },
      ] as const;
    });
    return Object.fromEntries(methods);
  }

  /** Bytes of a message. */
  encode(type: string, value: object): Buffer {
    return encode(this.#root.lookupType(`${this.#packageName}.${type}`), value);
  }

  /** A message with all its fields. @throws Error for bytes that are none */
  decode(type: string, bytes: Uint8Array): object {
    return decode(this.#root.lookupType(`${this.#packageName}.${type}`), bytes);
  }
}

function encode(type: protobuf.Type, value: object): Buffer {
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}

function decode(type: protobuf.Type, bytes: Uint8Array): object {
  return type.toObject(type.decode(bytes), plain);
}

const maxDetailLetters = 4096;

/** A failed call as texts of release 1.20 quote it. */
export function describeCallFailure({ code, details }: ServiceError): string {
  const words = (status[code] ?? 'UNKNOWN').toLowerCase().split('_');
  const name = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
  const written = name === 'Cancelled' ? 'Canceled' : name;
  return `rpc error: code = ${written} desc = ${details.slice(0, maxDetailLetters)}`;
}
