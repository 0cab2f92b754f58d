/** Formats of text that schemas may name, as release 1.20 checks them (go-openapi/strfmt). All take linear time. */
export { type FormatCheck, formatCheck } from './formats.ts';
