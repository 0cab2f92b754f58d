import { parseExact } from '../../base/index.ts';
import { quoteGo } from '../errors/index.ts';
import { Draft, insertMember, readMember, removeMember, storeMember } from './draft.ts';
import type { JsonPatchOperation } from './json-patch.ts';
import { parseJsonPointer } from './json-pointer.ts';
import { jsonEqual } from './json-value.ts';
import { PatchError } from './patch-error.ts';

/** Most bytes of JSON that the `copy` operations of one patch may add together. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** State of one application: the document and how much has been copied. */
interface Application {
  readonly draft: Draft;
  copiedBytes: number;
}

type Names = readonly [string, ...string[]];
type Apply = (application: Application, operation: JsonPatchOperation) => void;

const operations: ReadonlyMap<unknown, Apply> = new Map<unknown, Apply>([
  ['add', applyAdd],
  ['remove', applyRemove],
  ['replace', applyReplace],
  ['move', applyMove],
  ['copy', applyCopy],
  ['test', applyTest],
]);

/**
 * The document after a JSON patch (RFC 6902), all or nothing. Neither argument is changed; the result shares what the
 * patch does not touch. It differs from the RFC where evanphx/json-patch does: `replace` sets a member that is not there,
 * `copy` of one gives null, negative indices count from the end, and the whole document cannot be named.
 *
 * @throws PatchError `missing-path`, `test-failed`, `bad-operation` or `copy-too-large`.
 */
export function applyJsonPatch(document: unknown, patch: readonly JsonPatchOperation[]): unknown {
  const application: Application = { draft: new Draft(document), copiedBytes: 0 };
  for (const operation of patch) {
    const apply = operations.get(operation.op);
    if (apply === undefined) {
      const kind = typeof operation.op === 'string' ? operation.op : 'unknown';
      throw new PatchError('bad-operation', `Unexpected kind: ${kind}`);
    }
    apply(application, operation);
  }
  return application.draft.root;
}

function pointerOf(operation: JsonPatchOperation, member: 'path' | 'from'): Names {
  const text = operation[member];
  if (typeof text !== 'string') {
    throw new PatchError('bad-operation', `operation missing ${member} field: missing value`);
  }
  return parseJsonPointer(text);
}

/** An absent value is null. */
const newValueOf = (operation: JsonPatchOperation): unknown => operation.value ?? null;

const lastOf = (names: Names): string => names.at(-1) ?? '';

function missing(operation: JsonPatchOperation, member: 'path' | 'from' = 'path'): PatchError {
  const place = quoteGo(String(operation[member]));
  const text = `${String(operation.op)} operation does not apply: doc is missing ${member} path: ${place}: missing value`;
  return new PatchError('missing-path', text);
}

function insert({ draft }: Application, operation: JsonPatchOperation, value: unknown): void {
  const names = pointerOf(operation, 'path');
  const parent = draft.writableParent(names);
  if (parent === undefined) throw missing(operation);
  insertMember(parent, lastOf(names), value);
}

function applyAdd(application: Application, operation: JsonPatchOperation): void {
  insert(application, operation, newValueOf(operation));
}

function applyRemove({ draft }: Application, operation: JsonPatchOperation): void {
  const names = pointerOf(operation, 'path');
  const parent = draft.writableParent(names);
  if (parent === undefined) throw missing(operation);
  removeMember(parent, lastOf(names));
}

function applyReplace({ draft }: Application, operation: JsonPatchOperation): void {
  const names = pointerOf(operation, 'path');
  const parent = draft.writableParent(names);
  if (parent === undefined) throw missing(operation);
  storeMember(parent, lastOf(names), newValueOf(operation));
}

function applyMove(application: Application, operation: JsonPatchOperation): void {
  const from = pointerOf(operation, 'from');
  const parent = application.draft.writableParent(from);
  if (parent === undefined) throw missing(operation, 'from');
  const value = readMember(parent, lastOf(from));
  removeMember(parent, lastOf(from));
  insert(application, operation, value);
}

function applyCopy(application: Application, operation: JsonPatchOperation): void {
  const from = pointerOf(operation, 'from');
  const parent = application.draft.findParent(from);
  if (parent === undefined) throw missing(operation, 'from');
  // Text and back: the size is needed anyway, and the copy must share nothing that later operations write to.
  const text = textOf(readMember(parent, lastOf(from)) ?? null);
  application.copiedBytes += Buffer.byteLength(text);
  if (application.copiedBytes > maxCopiedBytes) {
    throw new PatchError(
      'copy-too-large',
      `Unable to complete the copy, the accumulated size increase of copy is ${application.copiedBytes}, exceeding the limit ${maxCopiedBytes}`,
    );
  }
  insert(application, operation, parseExact(text));
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The one thing that can fail for parsed JSON is the stack.
    if (error instanceof RangeError) throw new PatchError('bad-patch', 'exceeded max depth');
    throw error;
  }
}

function applyTest({ draft }: Application, operation: JsonPatchOperation): void {
  const names = pointerOf(operation, 'path');
  const parent = draft.findParent(names);
  if (parent === undefined) throw missing(operation);
  // A member that is not there equals null.
  const found = readMember(parent, lastOf(names)) ?? null;
  if (jsonEqual(found, newValueOf(operation))) return;
  throw new PatchError('test-failed', `testing value ${String(operation.path)} failed: test failed`);
}
