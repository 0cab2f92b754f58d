/** Where the system bus is when the environment does not say (D-Bus specification, "Well-known Message Bus Instances"). */
const defaultAddress = 'unix:path=/var/run/dbus/system_bus_socket';

/**
 * Path of the socket of the system bus: the first Unix socket of `DBUS_SYSTEM_BUS_ADDRESS`. Names of abstract sockets
 * begin with a zero byte.
 *
 * @throws RangeError when the address names no Unix socket
 */
export function systemBusPath(environment: Readonly<Record<string, string>>): string {
  const address = environment.DBUS_SYSTEM_BUS_ADDRESS || defaultAddress;
  for (const one of address.split(';')) {
    const [transport, parameters = ''] = one.split(':', 2);
    if (transport !== 'unix') continue;
    const values = new Map<string, string>();
    for (const parameter of parameters.split(',')) {
      const [name = '', value = ''] = parameter.split('=', 2);
      values.set(name, unescapeValue(value));
    }
    const path = values.get('path');
    if (path) return path;
    const abstract = values.get('abstract');
    if (abstract) return `\0${abstract}`;
  }
  throw new RangeError(`no Unix socket in the address of the bus: ${address}`);
}

const unescapeValue = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
