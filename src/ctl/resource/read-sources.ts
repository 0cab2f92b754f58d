import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chooseAuthorities, toTransportError } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { readLocalFile } from '../read-file.ts';

/** Text of one file, URL or the standard input. */
export interface SourceText {
  readonly source: string;
  readonly text: string;
}

/** Which sources to read. */
export interface SourceRequest {
  readonly filenames: readonly string[];
  readonly isRecursive: boolean;
  /** A folder with a kustomization, whose objects are read instead of files. */
  readonly kustomize?: string | undefined;
  /** Is told of each local file and folder before it is read, also of those that are not there. */
  readonly onRead?: ((path: string) => void) | undefined;
}

/** Whether anything is to be read at all. */
export const namesSources = ({ filenames, kustomize }: SourceRequest): boolean =>
  filenames.length > 0 || (kustomize ?? '') !== '';

const manifestEndings = ['.json', '.yaml', '.yml'];
const maxUrlBytes = 64 * 1024 * 1024;
const urlTimeoutMs = 60_000;

/**
 * Reads files, folders (their `.json`, `.yaml` and `.yml` files by name), URLs and `-`, or what a kustomization makes.
 *
 * @throws CtlError
 */
export async function readSources(
  ctl: Pick<Ctl, 'io' | 'dialect'>,
  { filenames, isRecursive, kustomize, onRead = () => {} }: SourceRequest,
): Promise<SourceText[]> {
  const { io } = ctl;
  if (kustomize) {
    if (filenames.length > 0) throw new CtlError('only one of -f or -k can be specified');
    if (isRecursive) throw new CtlError("the -k flag can't be used with -f or -R");
    const { readKustomized } = await import('../kustomize/index.ts');
    return [{ source: kustomize, text: await readKustomized(ctl, kustomize, onRead) }];
  }
  const texts: SourceText[] = [];
  for (const filename of filenames) {
    if (filename === '-') texts.push({ source: 'STDIN', text: io.readStdin().toString('utf8') });
    else if (/^https?:\/\//.test(filename)) texts.push({ source: filename, text: await fetchText(filename) });
    else
      for (const file of listFiles(filename, isRecursive, onRead)) {
        onRead(file);
        texts.push({ source: file, text: readText(file) });
      }
  }
  return texts;
}

function listFiles(path: string, isRecursive: boolean, onRead: (path: string) => void): string[] {
  onRead(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new CtlError(`the path ${JSON.stringify(path)} does not exist`);
  if (!stat.isDirectory()) return [path];
  const files = listFolder(path, isRecursive, onRead);
  if (files.length > 0) return files;
  throw new CtlError(`error reading [${path}]: recognized file extensions are [.json .yaml .yml]`);
}

function listFolder(folder: string, isRecursive: boolean, onRead: (path: string) => void): string[] {
  onRead(folder);
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isFolder(entry, path)) return isRecursive ? listFolder(path, isRecursive, onRead) : [];
    return manifestEndings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
  });
}

/** Links to files count as files; links to folders are not followed, because they could lead in circles. */
function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
}

function readText(file: string): string {
  return readLocalFile(file).toString('utf8');
}

async function fetchText(source: string): Promise<string> {
  const url = URL.parse(source);
  if (url === null) throw new CtlError(`the URL passed to filename ${JSON.stringify(source)} is not valid`);
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  if (url.protocol === 'https:') chooseAuthorities({});
  return new Promise((resolve, reject) => {
    const refuse = (why: string) =>
      reject(new CtlError(`unable to read URL ${JSON.stringify(source)}, ${why}`));
    const outgoing = request(url, { timeout: urlTimeoutMs });
    outgoing.on('timeout', () => {
      refuse('no answer in time');
      outgoing.destroy();
    });
    outgoing.on('error', (error) => reject(toTransportError(error, url.host)));
    outgoing.on('response', (incoming) => {
      if (incoming.statusCode !== 200) {
        incoming.resume();
        const status = `${incoming.statusCode} ${incoming.statusMessage}`;
        return refuse(`server reported ${status}, status code=${incoming.statusCode}`);
      }
      const parts: Buffer[] = [];
      let size = 0;
      incoming.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxUrlBytes) {
          refuse('the answer is too large');
          outgoing.destroy();
        }
        parts.push(part);
      });
      incoming.on('error', () => reject(new CtlError(`error parsing ${source}: unexpected EOF`)));
      incoming.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    });
    outgoing.end();
  });
}
