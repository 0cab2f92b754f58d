/**
 * The part of SPDY/3.1 that is spoken on upgraded connections, both sides of it: streams that the client opens, with
 * headers and an end of each direction of its own. No flow control by windows and no compression of what we send: no
 * peer of release 1.20 does the one, and headers are a few words. What streams mean is for others.
 */
export { type ClientConnection, openSpdyConnection, type SpdyDial } from './client-connection.ts';
export type { OpenedStream, StreamEnd, StreamReader } from './client-stream.ts';
export { type AcceptedStream, ServerConnection } from './server-connection.ts';
