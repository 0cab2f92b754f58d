import { parseExact } from '../../base/index.ts';
import { Draft, insertMember, readMember, removeMember, storeMember } from './draft.ts';
import { type JsonPatchOperation, notDecodable } from './json-patch.ts';
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

type Names = readonly string[];
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
  return application.draft.result;
}

function pointerOf(operation: JsonPatchOperation, member: 'path' | 'from'): Names {
  const text = operation[member];
  if (typeof text === 'string') return parseJsonPointer(text);
  const { op } = operation;
  // These do not say why.
  const isTerse = op === 'add' || op === 'remove' || (op === 'copy' && member === 'path');
  const cause = isTerse ? 'missing value' : pointerProblem(text, member);
  throw new PatchError('bad-operation', `${String(op)} operation failed to decode ${member}: ${cause}`);
}

function pointerProblem(value: unknown, member: 'path' | 'from'): string {
  if (value !== undefined && value !== null) return notDecodable(value, 'string').message;
  const text = member === 'path' ? 'operation missing path field' : 'operation, missing from field';
  return `${text}: missing value`;
}

/** An absent value is null. */
const newValueOf = (operation: JsonPatchOperation): unknown => operation.value ?? null;

const lastOf = (names: Names): string => names.at(-1) ?? '';

/** What evanphx/json-patch 4.9 says of a path that leads nowhere: each operation has words of its own. */
const missingTexts = {
  add: (path: string) => `add operation does not apply: doc is missing path: "${path}"`,
  remove: (path: string) => `remove operation does not apply: doc is missing path: "${path}"`,
  replace: (path: string) => `replace operation does not apply: doc is missing path: ${path}`,
  replaceKey: (path: string) => `replace operation does not apply: doc is missing key: ${path}`,
  moveFrom: (path: string) => `move operation does not apply: doc is missing from path: ${path}`,
  moveTo: (path: string) => `move operation does not apply: doc is missing destination path: ${path}`,
  copyFrom: (path: string) => `copy operation does not apply: doc is missing from path: ${path}`,
  copyTo: (path: string) => `copy operation does not apply: doc is missing destination path: ${path}`,
  test: (path: string) => `test operation does not apply: is missing path: ${path}`,
} as const;

function missing(place: keyof typeof missingTexts, path: unknown): PatchError {
  return new PatchError('missing-path', `${missingTexts[place](String(path))}: missing value`);
}

/** Does a step of an operation, whose failure is told with what was being done. */
function during<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PatchError) throw new PatchError(error.code, `${what}: ${error.message}`);
    throw error;
  }
}

const inOperation = (op: string, path: unknown): string => `error in ${op} for path: '${String(path)}'`;

function applyAdd({ draft }: Application, operation: JsonPatchOperation): void {
  const { path } = operation;
  const names = pointerOf(operation, 'path');
  const parent = draft.writableParent(names);
  if (parent === undefined) throw missing('add', path);
  during(inOperation('add', path), () => insertMember(parent, lastOf(names), newValueOf(operation)));
}

function applyRemove({ draft }: Application, operation: JsonPatchOperation): void {
  const { path } = operation;
  const names = pointerOf(operation, 'path');
  const parent = draft.writableParent(names);
  if (parent === undefined) throw missing('remove', path);
  during(inOperation('remove', path), () => removeMember(parent, lastOf(names)));
}

function applyReplace({ draft }: Application, operation: JsonPatchOperation): void {
  const { path } = operation;
  const names = pointerOf(operation, 'path');
  const parent = draft.writableParent(names);
  if (parent === undefined) throw missing('replace', path);
  try {
    storeMember(parent, lastOf(names), newValueOf(operation));
  } catch (error) {
    throw error instanceof PatchError ? missing('replaceKey', path) : error;
  }
}

function applyMove({ draft }: Application, operation: JsonPatchOperation): void {
  const from = pointerOf(operation, 'from');
  const parent = draft.writableParent(from);
  if (parent === undefined) throw missing('moveFrom', operation.from);
  const value = during(inOperation('move', lastOf(from)), () => {
    const found = readMember(parent, lastOf(from));
    removeMember(parent, lastOf(from));
    return found;
  });
  const names = pointerOf(operation, 'path');
  const target = draft.writableParent(names);
  if (target === undefined) throw missing('moveTo', operation.path);
  during(inOperation('move', operation.path), () => insertMember(target, lastOf(names), value));
}

function applyCopy(application: Application, operation: JsonPatchOperation): void {
  const { draft } = application;
  const from = pointerOf(operation, 'from');
  const parent = draft.findParent(from);
  if (parent === undefined) throw missing('copyFrom', operation.from);
  const found = during(`error in copy for from: '${String(operation.from)}'`, () =>
    readMember(parent, lastOf(from)),
  );
  const names = pointerOf(operation, 'path');
  const target = draft.writableParent(names);
  if (target === undefined) throw missing('copyTo', operation.path);
  // Text and back: the size is needed anyway, and the copy must share nothing that later operations write to.
  const text = textOf(draft.written(found ?? null));
  application.copiedBytes += Buffer.byteLength(text);
  if (application.copiedBytes > maxCopiedBytes) {
    throw new PatchError(
      'copy-too-large',
      `Unable to complete the copy, the accumulated size increase of copy is ${application.copiedBytes}, exceeding the limit ${maxCopiedBytes}`,
    );
  }
  during('error while adding value during copy', () => insertMember(target, lastOf(names), parseExact(text)));
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
  if (parent === undefined) throw missing('test', operation.path);
  // A member that is not there equals null.
  const found = during(inOperation('test', operation.path), () => readMember(parent, lastOf(names))) ?? null;
  if (jsonEqual(found, newValueOf(operation))) {
    draft.open(found);
    return;
  }
  throw new PatchError('test-failed', `testing value ${String(operation.path)} failed: test failed`);
}
