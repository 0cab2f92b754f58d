/**
 * Protobuf of all built-in types: messages between canonical objects and apimachinery's bytes (release 1.20,
 * every byte the same), the envelope around them, lists joined from kept items, frames of watches. It knows
 * no media types and no custom resources (`NoProtobufFormError`). Input may be hostile: it is bounded in depth
 * and never allocated for by what it claims; that its size is bounded is the caller's part.
 *
 * A server keeps per object `message.encodeFramed(object)`; `encodeEnvelope` makes a response of it,
 * `encodeWatchFrame` an event of that, `encodeList` a list of many. A body goes through `decodeProtobufBody`.
 */
export {
  compileProtobuf,
  createProtobufCompiler,
  type ProtobufCompiler,
  type ProtobufMessage,
} from './compile.ts';
export { type DecodeProtobufBodyRequest, decodeProtobufBody } from './decode-body.ts';
export {
  decodeEnvelope,
  type Envelope,
  type EnvelopeTypeMeta,
  encodeEnvelope,
  envelopeMagic,
  fieldHeader,
  hasEnvelope,
} from './envelope.ts';
export { encodeList, encodeListFrame, type ListFrame } from './list.ts';
export { NoProtobufFormError, ProtobufError } from './protobuf-error.ts';
export { maxMessageDepth } from './reader.ts';
export {
  decodeWatchEvent,
  encodeWatchFrame,
  splitWatchFrames,
  type WatchEventType,
  type WatchFrame,
} from './watch.ts';
export { makeTag, wireBytes, wireFixed64, wireVarint } from './wire.ts';
export { BackwardWriter } from './writer.ts';
