/**
 * Checks that many kinds share: formats of names and values, object metadata, immutability. Wording and order
 * are the reference's. Rules of one kind live with that kind.
 */
export * from './formats.ts';
export {
  asIpv4,
  type IpAddress,
  type IpNetwork,
  isIpText,
  networkContains,
  parseCidr,
  parseIp,
} from './ip.ts';
export { emptyMessage, isLongerThan, maxLengthMessage, rangeMessage, regexMessage } from './messages.ts';
export {
  type NameValidator,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
} from './names.ts';
