/**
 * Values of options that are read with the API machinery: addresses, networks, quantities, taints, and settings of
 * logs. Apart from `config/values`, because a command of the client has no such option and starts without them; a
 * table of options hands the parser to the engine beside the type.
 */
export { typedParsers, valueKind } from './typed-parsers.ts';
