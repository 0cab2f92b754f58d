/**
 * Patches of JSON documents: JSON patch, merge patch, and merge patches made from two or three documents. Pure:
 * nothing given is changed. Knows no types; patches that need them (strategic merge, apply) build on this folder.
 */
export { applyJsonPatch } from './apply-json-patch.ts';
export { createMergePatch, createThreeWayMergePatch, type ThreeWayDocuments } from './create-merge-patch.ts';
export { type JsonPatchOperation, maxJsonPatchOperations, parseJsonPatch } from './json-patch.ts';
export { formatJsonPointer, parseJsonPointer } from './json-pointer.ts';
export { jsonEqual } from './json-value.ts';
export { applyMergePatch, parseMergePatch } from './merge-patch.ts';
export { PatchError, type PatchErrorCode } from './patch-error.ts';
