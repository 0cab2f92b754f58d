/**
 * The part of D-Bus that a client of a system service needs: messages, and a connection over the bus's Unix socket. It
 * knows no service, and passes no file descriptors. After the D-Bus specification 0.38.
 */
export { systemBusPath } from './bus-address.ts';
export {
  BusConnection,
  type BusConnectionOptions,
  connectBus,
  type DbusCall,
  DbusError,
} from './bus-connection.ts';
export type { DbusMessage } from './message.ts';
export type { DbusValue, DbusVariant } from './values.ts';
