import { realpathSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { fileErrorText } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { readLocalFile } from '../read-file.ts';

/** Is told of each file and folder before it is read, also of those that are not there. */
export type OnRead = (path: string) => void;

/** Bases of bases beyond this depth are refused. */
const maxDepth = 100;

/**
 * A folder with a kustomization: what it names must lie in it, so that nobody's kustomization can read other files of
 * the user's, and its bases must not lead back to it.
 */
export class Folder {
  readonly path: string;
  readonly #visited: readonly string[];
  readonly #onRead: OnRead;

  private constructor(path: string, visited: readonly string[], onRead: OnRead) {
    this.path = path;
    this.#visited = visited;
    this.#onRead = onRead;
  }

  /** The folder that a command names. @throws CtlError when it is none */
  static open(path: string, onRead: OnRead = () => {}): Folder {
    if (isRemote(path)) throw new CtlError(remoteText(path));
    onRead(path);
    return new Folder(realFolder(path, refuse), [], onRead);
  }

  /** A base or a folder of resources, relative to this one. @throws CtlError */
  openBase(path: string): Folder {
    const fail = (detail: string): never => {
      throw new CtlError(`couldn't make loader for ${path}: ${detail}`);
    };
    if (path === '') return fail('new root cannot be empty');
    if (isRemote(path)) return fail(remoteText(path));
    if (isAbsolute(path)) return fail(`new root '${path}' cannot be absolute`);
    this.#onRead(join(this.path, path));
    const real = realFolder(join(this.path, path), fail);
    const visited = [...this.#visited, this.path];
    const cyclic = visited.find((root) => isWithin(root, real));
    if (cyclic !== undefined) {
      return fail(`cycle detected: candidate root '${real}' contains visited root '${cyclic}'`);
    }
    if (visited.length > maxDepth) return fail(`more than ${maxDepth} bases below one another`);
    return new Folder(real, visited, this.#onRead);
  }

  /** Content of a file in or below the folder, links followed. @throws CtlError */
  read(path: string): Buffer {
    if (path === '') throw new CtlError(`the path of a file is empty in the kustomization of ${this.path}`);
    const given = isAbsolute(path) ? path : join(this.path, path);
    this.#onRead(given);
    const real = resolveReal(given);
    if (isFolder(real)) throw new CtlError(`'${path}' must be a file (got d='${real}')`);
    if (!isWithin(real, this.path)) {
      throw new CtlError(`security; file '${path}' is not in or below '${this.path}'`);
    }
    return readLocalFile(real);
  }

  /** True when the path leads to a folder. */
  hasFolder(path: string): boolean {
    return isFolder(join(this.path, path));
  }

  hasFile(name: string): boolean {
    return statSync(join(this.path, name), { throwIfNoEntry: false })?.isFile() === true;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** True when `path` is `root` or below it. */
function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function resolveReal(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new CtlError(`evalsymlink failure on '${path}' : ${fileErrorText(cause, path)}`, { cause });
  }
}

const refuse = (detail: string): never => {
  throw new CtlError(detail);
};

function realFolder(path: string, fail: (detail: string) => never): string {
  const real = resolveRoot(path, fail);
  if (isFolder(real)) return real;
  return fail(`got file '${basename(real)}', but '${path}' must be a directory to be a root`);
}

function resolveRoot(path: string, fail: (detail: string) => never): string {
  try {
    return resolveReal(path);
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    return fail(`absolute path error in '${path}' : ${error.message}`);
  }
}

/** Addresses of repositories, as far as they cannot be meant as folders. */
const isRemote = (path: string): boolean =>
  /^(https?|ssh|git|file):\/\/|^git::|^git@|^(github\.com|gitlab\.com|bitbucket\.org)[/:]/.test(path);

const remoteText = (path: string): string =>
  `'${path}' is a repository: bases are read from folders only; clone it and name the folder`;
