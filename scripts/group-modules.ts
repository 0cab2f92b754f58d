import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** The modules that `orch ctl` loads at once for every command, and for the one that is typed most (`bin/ctl`: `bundle-client.ts`). */
const clients = {
  ctl: ['src/ctl/index.ts'],
  get: ['src/ctl/get/index.ts', 'src/ctl/get/tables.ts', 'src/ctl/resource/read-collection.ts'],
} as const;

/** The other programs that share modules with the client, and should not load more than those. */
const others = {
  server: ['src/app/run-serve.ts', 'src/app/start-server.ts'],
  agent: ['src/app/run-node-agent.ts'],
} as const;

/** The program that comes first, and loads the others. */
const launcher = 'src/app/main.ts';

/** Says which modules to put into one file. */
export interface Grouping {
  /** Name of the group; null for modules that the bundler may put where it likes. */
  groupOf(path: string): string | null;
  /** Reads who imports what, before anybody is asked for a group. */
  readonly plugin: Plugin;
}

/**
 * What takes the time of a start is the number of files: the bundler alone would make a file for every set of modules that the
 * same of hundreds of entries load. Here modules of the client lie in one file when the same
 * of few programs load them at their start. As a module is loaded with all that it imports, these files import one another
 * without cycles. `threads` are the paths of modules that threads begin with.
 * @throws Error for a program that is not among the sources
 */
export function createGrouping(root: string, threads: readonly string[]): Grouping {
  const groups = new Map<string, string>();
  return {
    groupOf: (path) => groups.get(path) ?? null,
    plugin: {
      name: 'group modules',
      buildEnd(error) {
        if (error !== undefined) return;
        const closureOf = (files: readonly string[]) =>
          reach(
            (path) => this.getModuleInfo(path)?.importedIds,
            files.map((file) => join(root, file)),
          );
        const atLaunch = closureOf([launcher]);
        const programs = [
          ...Object.entries({ ...clients, ...others }),
          ...threads.map((file) => [basename(dirname(file)), [file]] as const),
        ];
        const closures = programs.map(([name, files]) => ({ name, modules: closureOf(files) }));
        for (const path of closureOf(Object.values(clients).flat())) {
          const users = closures.filter(({ modules }) => modules.has(path)).map(({ name }) => name);
          if (!atLaunch.has(path)) groups.set(path, users.join('-'));
        }
      },
    },
  };
}

/** The modules, and all that they import, directly or not; without modules of other packages. */
export function reach(
  importsOf: (path: string) => readonly string[] | undefined,
  starts: readonly string[],
): ReadonlySet<string> {
  const reached = new Set(starts);
  // A set is also walked through what is added on the way.
  for (const path of reached) {
    const imports = importsOf(path);
    if (imports === undefined) throw new Error(`bundle: ${path} is not among the sources`);
    for (const imported of imports) if (imported.startsWith('/')) reached.add(imported);
  }
  return reached;
}
