import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { readVariable } from '../external/environment.ts';
import { runProgram } from '../external/run-program.ts';

/** The user's editor: a program and its arguments, or one line for a shell. */
export type Editor =
  | { readonly kind: 'program'; readonly words: readonly string[] }
  | { readonly kind: 'shell'; readonly shell: string; readonly line: string };

const defaultEditor = 'vi';
const defaultShell = '/bin/bash';

/** The editor that the environment names: the product's own variable, `EDITOR`, else vi. Quotes need a shell. */
export function findEditor(ctl: Pick<Ctl, 'io' | 'dialect'>): Editor {
  const line = readVariable(ctl, 'ORCH_EDITOR') ?? (ctl.io.env.EDITOR || defaultEditor);
  if (/["'\\]/.test(line) && line.includes(' ')) {
    return { kind: 'shell', shell: ctl.io.env.SHELL || defaultShell, line };
  }
  return { kind: 'program', words: line.split(' ').filter((word) => word !== '') };
}

/** Opens a file in the user's editor and waits until it is closed. @throws CtlError when that fails */
export async function launchEditor(ctl: Pick<Ctl, 'io' | 'dialect'>, path: string): Promise<void> {
  const editor = findEditor(ctl);
  const [command = defaultEditor, ...args] =
    editor.kind === 'program'
      ? [...editor.words, path]
      : [editor.shell, '-c', `${editor.line} ${quoteForShell(path)}`];
  const name = JSON.stringify(
    editor.kind === 'program' ? editor.words.join(' ') : `${editor.shell} -c ${editor.line}`,
  );
  let code: number;
  try {
    code = await runProgram(ctl.io, { command, args, isInteractive: true });
  } catch (cause) {
    // A path that leads nowhere is no editor that is missing, for the client of release 1.20.
    const isPath = ctl.dialect.name !== 'orch' && command.includes('/');
    throw new CtlError(`${isPath ? 'there was a problem with' : 'unable to launch'} the editor ${name}`, {
      cause,
    });
  }
  if (code !== 0) throw new CtlError(`there was a problem with the editor ${name}`);
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
