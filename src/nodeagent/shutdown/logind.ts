import type { Clock } from '../../base/index.ts';
import { type BusConnection, connectBus } from './dbus/bus-connection.ts';
import type { DbusMessage } from './dbus/message.ts';
import type { DbusValue } from './dbus/values.ts';

const logind = {
  destination: 'org.freedesktop.login1',
  path: '/org/freedesktop/login1',
  interface: 'org.freedesktop.login1.Manager',
} as const;
const systemd = {
  destination: 'org.freedesktop.systemd1',
  path: '/org/freedesktop/systemd1',
  interface: 'org.freedesktop.systemd1.Manager',
} as const;
const bus = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' } as const;
const hangUp = 1;

/** The manager of logins, which also shuts the machine down. */
export interface Logind {
  /** Longest time by which locks can delay a shutdown. @throws Error when it does not answer */
  maxDelayMs(): Promise<number>;
  /** Whether a shutdown has begun. @throws Error when it does not answer */
  isShuttingDown(): Promise<boolean>;
  /** Has it read its configuration again; resolves before it has. @throws Error when that cannot be asked for */
  reload(): Promise<void>;
  /** Resolves when nothing is heard of it any more. */
  readonly whenClosed: Promise<Error>;
  close(): void;
}

/** The system bus, and who is notified of shutdowns (logind's signal `PrepareForShutdown`). */
export interface LogindOptions {
  /** Of the system bus's socket. */
  readonly busPath: string;
  readonly clock: Clock;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** Told when a shutdown begins (true) and when it is called off (false). */
  readonly onShutdown: (isShuttingDown: boolean) => void;
}

/** Connects to logind and listens to it. @throws Error when there is no bus or no logind */
export async function openLogind({ busPath, clock, signal, onShutdown }: LogindOptions): Promise<Logind> {
  let owner = '';
  const onMessage = (message: DbusMessage): void => {
    if (isOwnerChange(message)) owner = String(message.body[2] ?? '');
    // Anybody on the machine can send signals; only its owner's word counts.
    else if (message.sender === owner && isShutdownSignal(message)) onShutdown(message.body[0] === true);
  };
  const connection = await connectBus({ path: busPath, clock, signal, onMessage });
  try {
    await listen(connection);
    // A call starts the service where the bus can do that; the name has an owner afterwards.
    await readProperty(connection, 'PreparingForShutdown');
    owner = String((await connection.callBus('GetNameOwner', 's', [logind.destination]))[0]);
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    async maxDelayMs() {
      const value = await readProperty(connection, 'InhibitDelayMaxUSec');
      if (typeof value !== 'bigint') throw new Error('InhibitDelayMaxUSec is no number');
      return Number(value) / 1000;
    },
    isShuttingDown: async () => (await readProperty(connection, 'PreparingForShutdown')) === true,
    async reload() {
      const body = ['systemd-logind.service', 'all', hangUp];
      await connection.call({ ...systemd, member: 'KillUnit', signature: 'ssi', body });
    },
    whenClosed: connection.whenClosed,
    close: () => connection.close(),
  };
}

async function listen(connection: BusConnection): Promise<void> {
  const { destination, path, interface: ofManager } = logind;
  const rules = [
    `type='signal',sender='${destination}',path='${path}',interface='${ofManager}',member='PrepareForShutdown'`,
    `type='signal',sender='${bus.name}',member='NameOwnerChanged',arg0='${destination}'`,
  ];
  for (const rule of rules) await connection.callBus('AddMatch', 's', [rule]);
}

const isShutdownSignal = (message: DbusMessage): boolean =>
  message.kind === 'signal' &&
  message.path === logind.path &&
  message.interface === logind.interface &&
  message.member === 'PrepareForShutdown';

/** The bus sends under its own name, which nobody else can. */
const isOwnerChange = ({ kind, sender, member, body }: DbusMessage): boolean =>
  kind === 'signal' && sender === bus.name && member === 'NameOwnerChanged' && body[0] === logind.destination;

async function readProperty(connection: BusConnection, name: string): Promise<DbusValue | undefined> {
  const [answer] = await connection.call({
    ...logind,
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    signature: 'ss',
    body: [logind.interface, name],
  });
  // Answers of `Get` are variants.
  return typeof answer === 'object' && 'value' in answer ? answer.value : undefined;
}
