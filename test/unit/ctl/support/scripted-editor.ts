import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** An editor for tests: a shell script that works on the file as its steps say, one step each time it is opened. */
export interface ScriptedEditor {
  /** Path of the script. */
  readonly command: string;
  /** What it was shown, in order. */
  seen(): string[];
  /** Octal mode of the file that it was shown last. */
  mode(): string;
  /** Path of the file that it was shown last. */
  path(): string;
  /** Waits until the script is at its `untilClosed`; closing the handle lets it go on. */
  untilOpen(): Promise<FileHandle>;
}

/** A step that waits until the test lets it go on. */
export const untilClosed = 'read -r _ < "$0.gate"';

/** Writes such a script below `folder`. Steps are shell commands with the file in `$file`. */
export function createScriptedEditor(folder: string, ...steps: readonly string[]): ScriptedEditor {
  const command = join(mkdtempSync(join(folder, 'editor-')), 'run.sh');
  const cases = steps.map((step, index) => `${index + 1}) ${step} ;;\n`).join('');
  writeFileSync(
    command,
    `#!/bin/sh
for file; do :; done
n=1
while [ -e "$0.seen$n" ]; do n=$((n + 1)); done
cp "$file" "$0.seen$n"
stat -c %a "$file" > "$0.mode"
printf %s "$file" > "$0.path"
case $n in
${cases}esac
`,
  );
  chmodSync(command, 0o755);
  const gate = `${command}.gate`;
  if (cases.includes(untilClosed)) execFileSync('mkfifo', [gate]);
  return {
    command,
    seen: () => {
      const texts: string[] = [];
      while (existsSync(`${command}.seen${texts.length + 1}`)) {
        texts.push(readFileSync(`${command}.seen${texts.length + 1}`, 'utf8'));
      }
      return texts;
    },
    mode: () => readFileSync(`${command}.mode`, 'utf8').trim(),
    path: () => readFileSync(`${command}.path`, 'utf8'),
    // A pipe opens when both ends are there.
    untilOpen: () => open(gate, 'w'),
  };
}

/** A shell command that replaces text in the file. */
export function substitute(from: string, to: string): string {
  return `sed -i 's/${from}/${to}/' "$file"`;
}
