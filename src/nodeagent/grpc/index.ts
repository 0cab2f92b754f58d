/**
 * gRPC services of other programs on this node, and the agent's own, over Unix sockets: their messages come from
 * descriptions in JSON (protobuf.js), so that a service is a data file and an interface. Used for plugins of vendors;
 * container runtimes have a driver of their own (`cri`). It keeps nothing and repeats nothing.
 */
export { GrpcError, type GrpcErrorCode } from './grpc-error.ts';
export { type AddService, type ServiceMethods, serveServices } from './serve-services.ts';
export {
  type CallOptions,
  channelOptions,
  ServiceClient,
  type StreamOptions,
  socketPathProblem,
} from './service-client.ts';
export {
  MessageCodec,
  type MethodCodec,
  type MethodTable,
  ServiceCodec,
  type ServiceDescription,
} from './service-codec.ts';
