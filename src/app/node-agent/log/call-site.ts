import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';

/** A place in the code that runs, as the runtime names it. */
export interface CallSite {
  /** URL of a file, or the name of a part of the runtime. */
  readonly script: string;
  readonly line: number;
  readonly column: number;
}

/** A place in the sources. */
export interface SourcePosition {
  /** From the root of the project, such as `src/app/main.ts`; that of the built file where its source is not known. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const extension = extname(import.meta.url);
/** The root of the project, or its `dist`. */
const root = join(import.meta.dirname, '../../../..');
/** Files that calls of a logger pass through on their way here. */
const between = new Set(
  ['./call-site', './call-trace', '../count-errors'].map(
    (file) => new URL(`${file}${extension}`, import.meta.url).href,
  ),
);
const ownFrames = 8;
const longestStack = 64;
const framePosition = /(file:\/\/\S+?):(\d+):(\d+)(?=\)?$)/;

/** Places are those of the code, so that there are as many as it has calls. */
const positions = new Map<string, SourcePosition>();

/** Who calls the logger: the first caller outside the files of the log. */
export function findCaller(): CallSite | undefined {
  const site = getCallSites(ownFrames, { sourceMap: false }).find(
    ({ scriptName }) => !between.has(scriptName),
  );
  return site && { script: site.scriptName, line: site.lineNumber, column: site.columnNumber };
}

/** Path of a script from the root of the sources; its extension is that of the file that runs. */
export function sourceName(script: string): string {
  if (!script.startsWith('file:')) return script;
  const path = relative(root, fileURLToPath(script));
  return path.startsWith('..') ? fileURLToPath(script) : path;
}

/** Where a place is in the sources. Reads the source map beside a built file, once for each place. */
export function locate({ script, line, column }: CallSite): SourcePosition {
  const key = `${script}:${line}:${column}`;
  let position = positions.get(key);
  if (position === undefined) {
    position = fromSourceMap({ script, line, column }) ?? { path: sourceName(script), line, column };
    positions.set(key, position);
  }
  return position;
}

/** Those who called the logger, over waits as far as the runtime knows; one line each, that of the caller first. */
export function formatCallers(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = longestStack;
  const [, ...frames] = (new Error('callers').stack ?? '').split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const first = frames.findIndex((frame) => !between.has(framePosition.exec(frame)?.[1] ?? ''));
  return frames
    .slice(Math.max(0, first))
    .map((frame) => `${frame.replace(framePosition, showFrame)}\n`)
    .join('');
}

function showFrame(_: string, script: string, line: string, column: string): string {
  const at = locate({ script, line: Number(line), column: Number(column) });
  return `${at.path}:${at.line}:${at.column}`;
}

/** The build keeps a source map beside each file; undefined when there is none, or it does not know the place. */
function fromSourceMap({ script, line, column }: CallSite): SourcePosition | undefined {
  if (!script.startsWith('file:') || !script.endsWith('.js')) return undefined;
  const file = fileURLToPath(script);
  try {
    // The build wrote it; what it is not, the constructor or the look-up below refuses.
    const payload = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload;
    const entry = new SourceMap(payload).findEntry(line - 1, column - 1);
    if (!('originalSource' in entry)) return undefined;
    // What is built lies in `dist` of the project: `dist/src/a.js` is made from `src/a.ts`.
    const path = relative(dirname(root), join(dirname(file), entry.originalSource));
    return { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch {
    return undefined; // no map, or one of something else: the place in the built file is true as well
  }
}
