import type { Duplex } from 'node:stream';

const ofSockets = { ref() {}, unref() {}, setKeepAlive() {}, setTimeout() {} };

/** A connection in memory with what HTTP agents ask of sockets: it neither ends by itself nor keeps the process from ending. */
export const asSocket = (connection: Duplex): Duplex => Object.assign(connection, ofSockets);
