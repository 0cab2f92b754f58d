/**
 * Built-in objects in Protobuf between clients and servers, as agents of release 1.20 speak. Custom resources, tables
 * and everything else that has no such form stays JSON. It loads the types of the whole API: only programs that live
 * long should import it.
 */
export { createEncoding, createProtobufEncoding } from './protobuf-encoding.ts';
