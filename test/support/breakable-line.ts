import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-ports.ts';

/** A way to a server that can be cut and mended. */
export class BreakableLine implements AsyncDisposable {
  /** URL of the line's end. */
  readonly url: string;
  readonly #target: URL;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.#target = target;
    this.#port = (server.address() as AddressInfo).port; // a TCP server has such an address
    this.url = `${target.protocol}//127.0.0.1:${this.#port}`;
    this.#serve();
  }

  /** Opens a line to the server of this URL, on a port of its own. */
  static async open(url: string): Promise<BreakableLine> {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    return new BreakableLine(server, new URL(url));
  }

  /** From now on nobody answers, and connections end. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    this.#server = createServer();
    this.#serve();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cut();
  }

  #serve(): void {
    this.#server.on('connection', (near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }
}
