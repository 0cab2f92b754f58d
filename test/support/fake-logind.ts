import { systemClock } from '../../src/base/index.ts';
import { type BusConnection, connectBus } from '../../src/nodeagent/shutdown/dbus/bus-connection.ts';
import type { DbusMessage } from '../../src/nodeagent/shutdown/dbus/message.ts';

const manager = { path: '/org/freedesktop/login1', interface: 'org.freedesktop.login1.Manager' } as const;

/** Owns the names of logind and systemd on a bus of a test, and says what the test wants. */
export class FakeLogind implements Disposable {
  /** What locks can delay a shutdown by. */
  maxDelayMs = 5000;
  isShuttingDown = false;
  /** Called when it is asked to read its configuration again. */
  onReload = (): void => {};
  /** Bodies of the calls that asked for that. */
  readonly reloads: unknown[] = [];
  #connection: BusConnection | undefined;

  static async start(path: string): Promise<FakeLogind> {
    const fake = new FakeLogind();
    const onMessage = (message: DbusMessage): void => fake.#answer(message);
    const connection = await connectBus({ path, clock: systemClock, onMessage });
    fake.#connection = connection;
    for (const name of ['org.freedesktop.login1', 'org.freedesktop.systemd1']) {
      await connection.callBus('RequestName', 'su', [name, 0]);
    }
    return fake;
  }

  /** Tells that a shutdown begins, or that it was called off. */
  announce(isShuttingDown: boolean): void {
    this.isShuttingDown = isShuttingDown;
    const signal = { kind: 'signal', ...manager, member: 'PrepareForShutdown' } as const;
    this.#connection?.send({ ...signal, signature: 'b', body: [isShuttingDown] });
  }

  [Symbol.dispose](): void {
    this.#connection?.close();
  }

  #answer({ kind, serial, sender, member, body }: DbusMessage): void {
    if (kind !== 'call') return;
    const reply = { kind: 'reply', replyTo: serial, destination: sender } as const;
    if (member === 'KillUnit') {
      this.reloads.push(body);
      this.onReload();
      this.#connection?.send({ ...reply, body: [] });
      return;
    }
    const value =
      body[1] === 'InhibitDelayMaxUSec'
        ? { signature: 't', value: BigInt(this.maxDelayMs) * 1000n }
        : { signature: 'b', value: this.isShuttingDown };
    this.#connection?.send({ ...reply, signature: 'v', body: [value] });
  }
}
