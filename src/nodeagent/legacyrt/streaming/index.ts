/**
 * The streaming server for exec, attach and port forwarding: on loopback, at URLs that are valid once and for one
 * minute. Speaks SPDY/3.1 and websockets with the protocols of release 1.20, and copies bytes between their channels
 * and connections to the engine. Authorization happens before a URL is issued.
 */
export { StreamingServer, type StreamingServerOptions } from './streaming-server.ts';
