/**
 * The streaming server that clients of exec, attach and port forwarding are led to: on loopback, by addresses that are
 * good once and for a minute. Speaks SPDY/3.1 and websockets with the protocols of release 1.20, and hands bytes on
 * between their channels and connections of the engine. Who may do what is decided before an address is given.
 */
export { StreamingServer, type StreamingServerOptions } from './streaming-server.ts';
