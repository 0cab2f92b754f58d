import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Runs the client when it is loaded: nobody else's module lies in its file. */
export const clientMain = 'src/app/client/main.ts';

/** The client as other programs import it: below the root, and built below `dist`. */
export const clientIndex = { source: ofCtl('index.ts'), built: 'ctl/index.cjs' } as const;

/** Modules that the client loads at once for any command and the one that is typed most. */
const always = [
  clientMain,
  ...['index.ts', 'version.ts', 'get/index.ts', 'get/tables.ts', 'resource/read-collection.ts'].map(ofCtl),
];

/** What writes and reads objects in YAML and JSON. */
const forms = ['src/machinery/codec/index.ts', ofCtl('printers/object-printer.ts')];

/** Modules that other everyday commands load when they run. */
const commands: Readonly<Record<string, readonly string[]>> = {
  objects: [...forms, ...['get/objects.ts', 'printers/json.ts'].map(ofCtl)],
  config: [...forms, ...['config-verbs/index.ts', 'config-verbs/view.ts'].map(ofCtl)],
  describe: ['describe/index.ts', 'describe/pod.ts'].map(ofCtl),
  explain: [ofCtl('explain/index.ts'), 'src/client/openapi/index.ts'],
  create: [...forms, ...['create/index.ts', 'create/configmap.ts'].map(ofCtl)],
  apply: [
    ...['apply/index.ts', 'validation/check-manifest.ts'].map(ofCtl),
    ...['src/client/openapi/index.ts', 'src/machinery/patch/strategic/index.ts'],
  ],
};

function ofCtl(file: string): string {
  return `src/ctl/${file}`;
}

/** Says which modules to put into one file. */
export interface Grouping {
  /** Name of the group; null for modules that the bundler may put where it likes. */
  groupOf(path: string): string | null;
  /** Reads who imports what, before anybody is asked for a group. */
  readonly plugin: Plugin;
}

/**
 * Modules lie in one file when the same everyday commands load them: each file takes a fifth of a millisecond. As a module is
 * loaded with all that it imports, these files import one another without cycles.
 */
export function groupByUse(root: string): Grouping {
  const groups = new Map<string, string>();
  const plugin: Plugin = {
    name: 'group by use',
    buildEnd(error) {
      if (error !== undefined) return;
      const closureOf = (files: readonly string[]) =>
        reach(
          (path) => this.getModuleInfo(path)?.importedIds,
          files.map((file) => join(root, file)),
        );
      for (const [name, files] of Object.entries(commands))
        for (const path of closureOf(files))
          groups.set(path, [groups.get(path) ?? [], name].flat().join('-'));
      for (const path of closureOf(always)) groups.set(path, 'always');
      groups.delete(join(root, clientMain));
    },
  };
  return { groupOf: (path) => groups.get(path) ?? null, plugin };
}

/**
 * The modules, and all that they import, directly or not; without modules of other packages.
 *
 * @throws Error for a module that is not among the sources
 */
function reach(
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
