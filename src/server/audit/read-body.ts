import { decodeBody } from '../../machinery/codec/index.ts';
import { decodeEnvelope, hasEnvelope, type ProtobufCompiler } from '../../machinery/codec/protobuf/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import type { ReadRecordedBody } from './audit-event.ts';

/** Makes the reader of recorded bodies: Protobuf by its prefix, JSON, and YAML, which all other text is. */
export function createBodyReader(protobuf: ProtobufCompiler): ReadRecordedBody {
  return (bytes) => {
    try {
      const value = hasEnvelope(bytes) ? readMessage(bytes, protobuf) : readText(bytes);
      return typeof value === 'object' && value !== null ? value : undefined;
    } catch {
      // A body that nobody can read was refused, which the event's code says.
      return undefined;
    }
  };
}

function readMessage(bytes: Buffer, protobuf: ProtobufCompiler): unknown {
  const { raw, kind, apiVersion } = decodeEnvelope(bytes);
  const named = parseGroupVersion(apiVersion);
  if (named === undefined || !protobuf.hasKind({ ...named, kind })) return undefined;
  return protobuf.kind({ ...named, kind }).decode(raw, { kind, apiVersion });
}

function readText(bytes: Buffer): unknown {
  const first = bytes.find((byte) => byte > 0x20);
  return decodeBody(bytes, first === 0x7b || first === 0x5b ? 'json' : 'yaml');
}
