import { asJsonObject, isJsonObject, type JsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { createThreeWayMergePatch } from '../../machinery/patch/index.ts';
import { type BuiltInType, createTypeFinder, type FindBuiltInType } from '../changes/built-in-type.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';

/** The three states of an object that a patch is made from, and how it is made. */
export interface ApplyStates {
  readonly dialect: Dialect;
  /** What was applied last time; empty when unknown. */
  readonly original: Readonly<Record<string, unknown>>;
  /** What the file says, with its annotation. */
  readonly modified: WireObject;
  /** What the server has. */
  readonly current: WireObject;
  /** Finds the type of the object's kind. Shared when there are many objects; by default one of its own. */
  readonly findType?: FindBuiltInType | undefined;
  /**
   * False: refuse to change what others changed since the last apply. Default true. Built-in kinds only, as in
   * release 1.20.
   */
  readonly overwrites?: boolean;
}

/** A patch ready to be sent. */
export interface ApplyPatch {
  readonly contentType: string;
  readonly body: JsonObject;
  readonly isEmpty: boolean;
}

/**
 * Makes the patch that carries the file's changes over and leaves others' fields alone: a strategic merge patch for
 * built-in kinds, a merge patch for others, whose lists are replaced as a whole.
 *
 * @throws CtlError when the patch would rename the object or change its kind, or overwrite where it may not.
 */
export async function createApplyPatch(states: ApplyStates): Promise<ApplyPatch> {
  const findType = states.findType ?? createTypeFinder(states.dialect);
  const builtIn = await findType(states.current);
  const { contentType, body } =
    builtIn === undefined
      ? { contentType: 'application/merge-patch+json', body: createThreeWayMergePatch(documentsOf(states)) }
      : await createStrategic(states, builtIn);
  checkIdentity(body);
  return { contentType, body, isEmpty: Object.keys(body).length === 0 };
}

/** All three were parsed from JSON or YAML. */
function documentsOf({ original, modified, current }: ApplyStates) {
  return {
    original: asJsonObject(original),
    modified: asJsonObject(modified),
    current: asJsonObject(current),
  };
}

async function createStrategic(
  states: ApplyStates,
  { type, catalog }: BuiltInType,
): Promise<{ readonly contentType: string; readonly body: JsonObject }> {
  const { createThreeWayStrategicPatch, PatchConflictError } = await import(
    '../../machinery/patch/strategic/index.ts'
  );
  const { overwrites = true } = states;
  const documents = documentsOf(overwrites ? states : { ...states, original: withAnnotation(states) });
  try {
    const body = createThreeWayStrategicPatch(documents, type, catalog, { overwrites });
    return { contentType: 'application/strategic-merge-patch+json', body };
  } catch (error) {
    if (!(error instanceof PatchConflictError)) throw error;
    throw new CtlError(
      `others changed these fields since they were applied last, and the file wants them otherwise:\n${error.fields
        .map((field) => `* ${field}\n`)
        .join('')}Give them the values that they have now, or let the file win with --overwrite=true.`,
      { cause: error },
    );
  }
}

/** The annotation of the last apply is this command's own: its change is nobody's conflict. */
function withAnnotation({ dialect, original, current }: ApplyStates): JsonObject {
  const name = dialect.lastAppliedAnnotation;
  const metadata = isJsonObject(original.metadata) ? original.metadata : {};
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  const text = current.metadata.annotations?.[name];
  if (text === undefined) return original;
  return { ...original, metadata: { ...metadata, annotations: { ...annotations, [name]: text } } };
}

/** What the patch is sent to must stay what it is. */
function checkIdentity({ apiVersion, kind, metadata }: JsonObject): void {
  const isRenamed = isJsonObject(metadata) && Object.hasOwn(metadata, 'name');
  if (apiVersion === undefined && kind === undefined && !isRenamed) return;
  throw new CtlError('At least one of apiVersion, kind and name was changed');
}
