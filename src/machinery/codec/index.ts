/**
 * From bytes to objects and back: JSON and YAML bodies, the checks of kind and version, bytes to store, lists
 * and watch events. Limits and messages are apimachinery's (release 1.20). It does not negotiate media types.
 */
export { BodySyntaxError, unrecognizedObject } from './body-syntax-error.ts';
export { CompactJsonError, findMember, skipValue } from './compact-json.ts';
export { decodeBody, decodeObjectBody, describeTypeMetaFault } from './decode-body.ts';
export {
  type DecodeObjectRequest,
  decodeObject,
  internalPackage,
  unmarshalerMessage,
} from './decode-object.ts';
export {
  type EncodedObject,
  encodeForStorage,
  encodeInSteps,
  encodeMetadata,
  encodeObject,
} from './encode-object.ts';
export {
  encodeListHeader,
  encodeSortedList,
  encodeWatchEvent,
  joinList,
  type ListHeader,
  listEnd,
  reversion,
} from './frames.ts';
export { JsonCursor, JsonCursorError } from './json-cursor.ts';
export { maxBodyDepth, parseJson } from './parse-json.ts';
export { parseYaml } from './parse-yaml.ts';
export { sortMembers, sortObject } from './sorted-object.ts';
export {
  cutOwners,
  type MetadataParts,
  parseMetadata,
  parseWithoutOwners,
  splitMetadata,
} from './split-metadata.ts';
export { writeYaml } from './write-yaml.ts';
export { listYamlKeys, type YamlKey } from './yaml-keys.ts';
export { locateYamlFields, type TextPosition, type YamlPath } from './yaml-positions.ts';
