import { isJsonObject } from '../../base/index.ts';
import { type Codec, type ExplainedField, Leftover, Reason } from './codec.ts';
import { readerReason } from './scalars.ts';

/** Types with more fields than this are read by another routine of json-iterator, which says less. */
const smallStructFields = 10;

interface Walk {
  message: string | undefined;
  derailed: boolean;
  path: (string | number)[];
  /** Path of the value that failed, once there is one. */
  failedPath: (string | number)[];
  failedDerails: boolean;
  /** What a leaf has left for what holds it. */
  leftover: string | undefined;
}

/**
 * json-iterator's message for a value that does not fit, found by following its decoder (that of
 * release 1.20): it reads on after an error and puts the name of every later field in front as well.
 * Undefined when nothing is wrong.
 */
export function explainMismatch(codec: Codec, value: unknown): string | undefined {
  const walk: Walk = {
    message: undefined,
    derailed: false,
    path: [],
    failedPath: [],
    failedDerails: false,
    leftover: undefined,
  };
  visit(codec, value, walk);
  if (walk.message === undefined) return undefined;
  return `${walk.message}, ${describePlace(value, walk)}`;
}

function fail(walk: Walk, reason: Reason): void {
  if (walk.message !== undefined) return;
  walk.message = reason.message;
  walk.derailed = reason.derails;
  walk.failedDerails = reason.derails;
  walk.failedPath = [...walk.path];
}

function visit(codec: Codec, value: unknown, walk: Walk): void {
  if (value === null || value === undefined) return;
  const { explain } = codec;
  switch (explain.kind) {
    case 'leaf':
      if (walk.message === undefined) visitLeaf(explain.check, value, walk);
      break;
    case 'list':
      visitList(explain, value, walk);
      break;
    case 'map':
      visitMap(explain.element(), value, walk);
      break;
    case 'struct':
      visitStruct(explain, value, walk);
  }
}

function visitLeaf(check: (value: unknown) => void, value: unknown, walk: Walk): void {
  try {
    check(value);
  } catch (error) {
    if (error instanceof Leftover) {
      walk.leftover = error.character;
      walk.derailed = true;
      walk.failedDerails = true;
      walk.failedPath = [...walk.path];
    } else if (error instanceof Reason) fail(walk, error);
    else throw error;
  }
}

/** Says, in the words of what holds it, that a leaf left something; true when it did. */
function tripOver(walk: Walk, describe: (character: string) => string): boolean {
  const { leftover } = walk;
  if (leftover === undefined) return false;
  walk.leftover = undefined;
  walk.message = describe(leftover);
  return true;
}

interface ExplainedList {
  readonly goName: string;
  element(): Codec;
}

function visitList({ goName, element }: ExplainedList, value: unknown, walk: Walk): void {
  if (!Array.isArray(value)) {
    const found = (JSON.stringify(value) ?? 'null').charAt(0);
    fail(walk, readerReason('decode slice', `expect [ or n, but found ${found}`, value));
  } else {
    for (let index = 0; index < value.length && !walk.derailed; index++) {
      walk.path.push(index);
      visit(element(), value[index], walk);
      walk.path.pop();
    }
  }
  tripOver(walk, (character) => `decode slice: expect ], but found ${character}`);
  if (walk.message !== undefined) walk.message = `${goName}: ${walk.message}`;
}

function visitMap(element: Codec, value: unknown, walk: Walk): void {
  if (!isJsonObject(value)) {
    const found = (JSON.stringify(value) ?? 'null').charAt(0);
    fail(walk, readerReason('ReadMapCB', `expect { or n, but found ${found}`, value));
    return;
  }
  for (const key of Object.keys(value)) {
    if (walk.derailed) return;
    walk.path.push(key);
    visit(element, value[key], walk);
    walk.path.pop();
  }
  tripOver(walk, (character) => `ReadMapCB: expect }, but found ${character}`);
}

interface ExplainedStruct {
  readonly goName: string;
  fields(): readonly ExplainedField[];
}

function visitStruct({ goName, fields }: ExplainedStruct, value: unknown, walk: Walk): void {
  if (!isJsonObject(value)) {
    const found = (JSON.stringify(value) ?? 'null').charAt(0);
    fail(walk, readerReason('readObjectStart', `expect { or n, but found ${found}`, value));
    return;
  }
  const known = fields();
  const keys = Object.keys(value);
  for (const key of keys) {
    if (walk.derailed) break;
    const field = known.find(({ data }) => data.n === key);
    if (field === undefined) continue;
    if (walk.message !== undefined && known.length > smallStructFields) continue;
    walk.path.push(key);
    visit(field.codec, value[key], walk);
    walk.path.pop();
    if (walk.message !== undefined) walk.message = `${field.goPath.join(': ')}: ${walk.message}`;
  }
  const isSmall = known.length <= smallStructFields;
  const hasTripped = tripOver(walk, (character) =>
    isSmall
      ? `isObjectEnd: object ended prematurely, unexpected char ${character}`
      : `struct Decode: expect }, but found ${character}`,
  );
  // The routine for large types looks at its end after it has said where it was.
  if (hasTripped && !isSmall) return;
  if (walk.message !== undefined && keys.length > 0) walk.message = `${goName}.${walk.message}`;
}

/** Where the reader stood, with a little and with more of the text around it. */
function describePlace(root: unknown, walk: Walk): string {
  const before = textBefore(root, walk.failedPath);
  const rest = JSON.stringify(root).slice(before.length);
  const failed = valueAt(root, walk.failedPath);
  // A reader that stops stands behind the first character, one that took all behind the last.
  const taken = walk.failedDerails ? 1 : (JSON.stringify(failed) ?? 'null').length;
  const text = before + rest;
  const head = before.length + taken;
  const near = text.slice(Math.max(0, head - 10), head + 10);
  const wide = text.slice(Math.max(0, head - 50), head + 50);
  return `error found in #${Math.min(10, head)} byte of ...|${near}|..., bigger context ...|${wide}|...`;
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let current = root;
  for (const step of path) {
    // The walk came this way, so every step is an object or array with that key.
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}

/** JSON text of `root` up to where the value at `path` starts. */
function textBefore(root: unknown, path: readonly (string | number)[]): string {
  let text = '';
  let current = root;
  for (const step of path) {
    const isList = Array.isArray(current);
    text += isList ? '[' : '{';
    const entries = Object.entries(current as object);
    for (const [key, value] of entries) {
      if (value === undefined) continue;
      const name = isList ? '' : `${JSON.stringify(key)}:`;
      if (key === String(step)) {
        text += name;
        break;
      }
      text += `${name}${JSON.stringify(value) ?? 'null'},`;
    }
    current = (current as Record<string | number, unknown>)[step];
  }
  return text;
}
