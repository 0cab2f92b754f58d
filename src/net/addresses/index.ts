/**
 * The machine's own addresses, and the one at which others find it: that of the interface with the default route. It
 * changes nothing and asks no name server.
 */
export { type DefaultRoute, defaultRoutes, readDefaultRoutes } from './default-routes.ts';
export {
  type InterfaceAddress,
  isGlobalAddress,
  isLinkLocal,
  isLoopback,
  isMulticast,
  isWildcard,
  listInterfaceAddresses,
  type RoutedAddressInputs,
  routedAddress,
} from './interface-addresses.ts';
