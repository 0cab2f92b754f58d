/**
 * Calls of gRPC services of other programs on this node, over Unix sockets: their messages come from descriptions in JSON
 * (protobuf.js), so that a service is a data file and an interface. Used for plugins of vendors; container runtimes have
 * a driver of their own (`cri`). It keeps nothing and repeats nothing.
 */
export { GrpcError, type GrpcErrorCode } from './grpc-error.ts';
export { type CallOptions, ServiceClient, type StreamOptions } from './service-client.ts';
export {
  type MethodCodec,
  type MethodTable,
  ServiceCodec,
  type ServiceDescription,
} from './service-codec.ts';
