import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../../../src/base/index.ts';
import { connectBus } from '../../../../src/nodeagent/shutdown/dbus/bus-connection.ts';
import { decodeMessage, encodeMessage } from '../../../../src/nodeagent/shutdown/dbus/message.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('connectBus', () => {
  let directory: TemporaryDirectory;
  let server: Server | undefined;
  const sockets = new Set<Socket>();
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
    server = undefined;
    await directory.remove();
  });

  /** Listens as a bus that does something with each chunk; gives the path of its socket. */
  async function listen(onData: (socket: Socket, chunk: Buffer) => void): Promise<string> {
    const path = join(directory.path, 'bus');
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('data', (chunk) => onData(socket, chunk));
    });
    await new Promise<void>((resolve) => server?.listen(path, resolve));
    return path;
  }
  const failure = (connecting: Promise<unknown>): Promise<string> =>
    connecting.then(
      () => 'none',
      (error: unknown) => String(error),
    );

  it('says who refuses, closes, or is not there', async () => {
    const cases = [
      ['REJECTED EXTERNAL\r\n', 'the bus refuses this process: REJECTED EXTERNAL'],
      ['x'.repeat(2000), 'the bus refuses this process'],
      [undefined, 'the bus closed the connection'],
    ] as const;
    for (const [answer, expected] of cases) {
      const path = await listen((socket) => (answer === undefined ? socket.end() : socket.write(answer)));
      expect(await failure(connectBus({ path, clock: systemClock }))).to.include(expected);
      await new Promise((resolve) => server?.close(resolve));
    }
    server = undefined;
    const path = join(directory.path, 'none');
    expect(await failure(connectBus({ path, clock: systemClock }))).to.include('ENOENT');
  });

  it('ends what it waits for with its signal', async () => {
    const end = new AbortController();
    const path = await listen(() => end.abort()); // a bus that never answers
    const connecting = connectBus({ path, clock: systemClock, signal: end.signal });
    expect(await failure(connecting)).to.include('closed the connection');
  });

  it('ends calls and itself when what comes is no message', async () => {
    let isKnown = false;
    const path = await listen((socket, chunk) => {
      if (!isKnown) {
        isKnown = true;
        socket.write('OK 0123\r\n');
        return;
      }
      const begin = chunk.toString('latin1').startsWith('BEGIN\r\n') ? 7 : 0;
      const call = decodeMessage(chunk.subarray(begin))?.message;
      if (call?.member === 'Hello') {
        const reply = {
          kind: 'reply',
          serial: 1,
          replyTo: call.serial,
          signature: 's',
          body: [':1.1'],
        } as const;
        // In two pieces, as sockets do.
        const bytes = encodeMessage(reply);
        socket.write(bytes.subarray(0, 20), () => socket.write(bytes.subarray(20)));
      } else if (call !== undefined) socket.write('this is no message of a bus');
    });
    const connection = await connectBus({ path, clock: systemClock });
    expect(await failure(connection.callBus('GetId'))).to.include('no message of a bus');
    expect(String(await connection.whenClosed)).to.include('DbusFormatError');
    expect(await failure(connection.callBus('GetId'))).to.include('closed');
  });
});
