import { readFileSync } from 'node:fs';
import { errorText } from '../../base/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError } from '../errors.ts';
import { removeTemporary, writeTemporaryFile } from '../external/temporary-files.ts';
import { readLocalFile } from '../read-file.ts';
import { type ManifestTarget, resolveFiles } from '../resource/resolve-files.ts';
import { ManifestSyntaxError } from '../resource/syntax-error.ts';
import { type Target, typeName } from '../resource/target.ts';
import { ManifestError } from '../validation/manifest-error.ts';
import {
  type EditFormat,
  type EditReason,
  formatDocument,
  formatHeader,
  isBlank,
  isSameContent,
  withoutHeader,
} from './edit-text.ts';
import { launchEditor } from './editor.ts';

/** What became of edited objects. */
export interface SaveResult {
  /** Refused as invalid: the user may correct them at once. */
  readonly refusals: readonly EditReason[];
  /** How many failed for other reasons, and how many were gone. */
  readonly failed: number;
  readonly missing: number;
}

/** Everything was saved. */
export const allSaved: SaveResult = { refusals: [], failed: 0, missing: 0 };

/** One document in the user's editor. */
export interface EditSession {
  readonly ctl: Ctl;
  readonly format: EditFormat;
  readonly hasWindowsLineEndings: boolean;
  /** What the header says about the document. */
  readonly lead: string;
  /** What is edited: an object or a list of objects. */
  readonly document: unknown;
  /** The object that messages about the whole document name. */
  readonly first: Target & { readonly name: string };
  /** Refuse objects that do not fit what the server says of their kinds. */
  readonly isValidated?: boolean | undefined;
  /** Sends what was edited. @throws when that makes no sense; the file is then kept */
  save(edited: readonly ManifestTarget[]): Promise<SaveResult>;
}

/** A text for the editor; with reasons when an earlier one was not taken. */
interface Draft {
  readonly body: string;
  readonly reasons: readonly EditReason[];
  readonly path?: string;
}

/**
 * Opens the document in the user's editor and saves it, again and again until it is taken or the user gives up. What
 * could not be saved stays in a temporary file that a message names.
 *
 * @throws CtlError when the user gave up after a failure; ExitError when objects could not be saved.
 */
export async function runEditSession(session: EditSession): Promise<void> {
  const original = formatDocument(session.document, session.format);
  let draft: Draft | undefined = { body: original, reasons: [] };
  while (draft !== undefined) draft = await editOnce(session, original, draft);
}

async function editOnce(session: EditSession, original: string, draft: Draft): Promise<Draft | undefined> {
  const { ctl } = session;
  const written = formatDraft(session, draft);
  const path = writeTemporaryFile(ctl.io, {
    prefix: `${ctl.dialect.spell('ctl')}-edit-`,
    suffix: `.${session.format}`,
    text: written,
  });
  // The new file has all of the old one.
  if (draft.path !== undefined) removeTemporary(draft.path);
  try {
    await launchEditor(ctl, path);
    const next = await takeText(session, { original, draft, path });
    if (next === undefined) removeTemporary(path);
    return next;
  } catch (error) {
    if (draft.path === undefined && readIfThere(path) === written) removeTemporary(path);
    else if (!(error instanceof ExitError)) {
      ctl.io.stderr.write(`A copy of your changes has been stored to ${JSON.stringify(path)}\n`);
    }
    throw error;
  }
}

function formatDraft({ format, lead, hasWindowsLineEndings }: EditSession, draft: Draft): string {
  // JSON has no comments.
  const text = format === 'json' ? draft.body : formatHeader(lead, draft.reasons) + draft.body;
  return hasWindowsLineEndings ? text.replace(/\r?\n/g, '\r\n') : text;
}

interface EditedFile {
  readonly original: string;
  readonly draft: Draft;
  readonly path: string;
}

/** Reads what the editor left and saves it. Returns what to edit next, undefined when there is nothing more to do. */
async function takeText(
  session: EditSession,
  { original, draft, path }: EditedFile,
): Promise<Draft | undefined> {
  const { stderr } = session.ctl.io;
  const text = readLocalFile(path).toString('utf8');
  if (draft.path !== undefined && isSameContent(draft.body, text)) {
    throw new CtlError('Edit cancelled, no valid changes were saved.');
  }
  if (isSameContent(original, text)) {
    stderr.write('Edit cancelled, no changes made.\n');
    return undefined;
  }
  // Release 1.20's client looks whether the text fits first, and finds no object in it.
  if (isBlank(text) && session.isValidated && session.ctl.dialect.name !== 'orch') {
    const reasons = [{ head: 'The edited file failed validation: nothing is in it', details: [] }];
    reportInvalid(session, reasons);
    return { body: withoutHeader(text), reasons, path };
  }
  if (isBlank(text)) {
    stderr.write('Edit cancelled, saved file was empty.\n');
    return undefined;
  }
  const reasons = await saveFile(session, path);
  return reasons.length === 0 ? undefined : { body: withoutHeader(text), reasons, path };
}

/** Saves the objects of a file and returns why some were refused. @throws ExitError when trying again is no use */
async function saveFile(session: EditSession, path: string): Promise<readonly EditReason[]> {
  const { ctl } = session;
  const { stderr } = ctl.io;
  const { targets, errors } = await resolveFiles(ctl, {
    filenames: [path],
    isRecursive: false,
    isValidated: session.isValidated,
    args: [],
  });
  if (errors.length > 0) {
    const reasons = errors.map((error) => toReason(error, path));
    reportInvalid(session, reasons);
    return reasons;
  }
  const { refusals, failed, missing } = await session.save(targets);
  if (failed > 0) {
    const command = `${ctl.dialect.spell('ctl')} replace -f ${path}`;
    stderr.write(`You can run \`${command}\` to try this update again.\n`);
    throw new ExitError(1);
  }
  if (missing > 0) {
    stderr.write(`The edits you made on deleted resources have been saved to ${JSON.stringify(path)}\n`);
    throw new ExitError(1);
  }
  return refusals;
}

/** Says that the text does not fit; why stands in the next file, and in release 1.20 nowhere else. */
function reportInvalid({ ctl, first }: EditSession, reasons: readonly EditReason[]): void {
  const heads = ctl.dialect.name === 'orch' ? reasons.map(({ head }) => `${head}\n`).join('') : '';
  ctl.io.stderr.write(
    `error: ${typeName(first.resource)} ${JSON.stringify(first.name)} is invalid\n${heads}`,
  );
}

/** The path is left out: when the reason is read the text is in another file. */
function toReason(error: unknown, path: string): EditReason {
  if (error instanceof ManifestError && !(error instanceof ManifestSyntaxError)) {
    return { head: `The edited file failed validation: ${error.detail}`, details: [] };
  }
  const text = errorText(error);
  const message = text.replaceAll(path, 'edited-file');
  return { head: `The edited file had a syntax error: ${message}`, details: [] };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // the editor removed it
  }
}
