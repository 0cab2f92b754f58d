/**
 * The part of SPDY/3.1 that servers of this API speak on upgraded connections: streams that the client opens, with
 * headers and an end of each direction of its own. No flow control and no compression: neither side of release 1.20
 * does the one, and headers are a few words. What streams mean is for others.
 */
export { openSpdyConnection, type SpdyConnection, type SpdyDial } from './connection.ts';
export type { SpdyStream, StreamEnd, StreamReader } from './stream.ts';
