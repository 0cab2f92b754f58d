import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type Import, layerOf, projectImports, root, sourceFiles, textOf } from './source-files.ts';

/** Layer > layers that it may see (docs/architecture.md, "The tree is the architecture"). */
const visible: Readonly<Record<string, readonly string[]>> = {
  base: [],
  net: ['base'],
  machinery: ['base'],
  apis: ['machinery', 'base'],
  storage: ['machinery', 'base'],
  registry: ['storage', 'apis', 'machinery', 'base'],
  server: ['registry', 'storage', 'net', 'apis', 'machinery', 'base'],
  client: ['net', 'apis', 'machinery', 'base'],
  config: ['machinery', 'base'],
  controllers: ['client', 'apis', 'machinery', 'base'],
  scheduler: ['client', 'apis', 'machinery', 'base'],
  nodeagent: ['client', 'config', 'net', 'apis', 'machinery', 'base'],
  ctl: ['client', 'config', 'apis', 'machinery', 'base'],
  app: [
    'base',
    'net',
    'machinery',
    'apis',
    'storage',
    'registry',
    'server',
    'client',
    'config',
    'controllers',
    'scheduler',
    'nodeagent',
    'ctl',
  ],
  commands: ['app', 'ctl', 'config'],
};

/** The process starts here: it stands above the commands, and nothing imports it. */
const entry = 'src/app/main.ts';

/** Contracts that outsiders import as files, because their folder has no other public names or they are generated. */
const isContract = (file: string): boolean =>
  ['src/machinery/dialect.ts', 'src/apis/catalog.ts', 'src/apis/kind-rules.ts', 'package.json'].includes(
    file,
  ) || file.startsWith('src/apis/types/');

const imports = projectImports();
const show = ({ from, to }: Import): string => `${from} > ${to}`;

/** Whether `file` lies in a package (a folder with an `index.ts`) that `outsider` is not in. */
function isInForeignPackage(file: string, outsider: string): boolean {
  for (let folder = dirname(file); folder !== 'src' && folder !== '.'; folder = dirname(folder)) {
    if (existsSync(join(root, folder, 'index.ts')) && !outsider.startsWith(`${folder}/`)) return true;
  }
  return false;
}

function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of edges.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

const edgesOf = (all: readonly Import[]): ReadonlyMap<string, readonly string[]> =>
  new Map([...Map.groupBy(all, ({ from }) => from)].map(([file, list]) => [file, list.map(({ to }) => to)]));

describe('the import graph', () => {
  it('sees the project', () => {
    expect(imports.length).to.be.greaterThan(100);
    expect(imports.filter(({ to }) => !existsSync(join(root, to))).map(show)).to.deep.equal([]);
  });

  it('points down the layers only', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [layer, target] = [layerOf(from), layerOf(to)];
      const isInside = layer === target || to === 'package.json' || from === entry;
      return !isInside && !visible[layer]?.includes(target);
    });
    expect(wrong.map(show)).to.deep.equal([]);
  });

  it('has no edge to the entry', () => {
    expect(imports.filter(({ to }) => to === entry).map(show)).to.deep.equal([]);
  });

  it('enters a package through its index.ts', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        !to.endsWith('/index.ts') &&
        !isContract(to) &&
        // Folders of one layer meet by file.
        layerOf(from) !== layerOf(to) &&
        layerOf(from) !== 'commands' &&
        isInForeignPackage(to, from),
    );
    expect(wrong.map(show)).to.deep.equal([]);
  });

  it("never goes through a package's own index.ts", () => {
    const wrong = imports.filter(
      ({ from, to }) => to.endsWith('/index.ts') && from.startsWith(`${dirname(to)}/`),
    );
    expect(wrong.map(show)).to.deep.equal([]);
  });

  it('has an index.ts that only hands on where another layer enters, and nowhere else', () => {
    const handsOnOnly = (file: string): boolean =>
      textOf(file)
        .replace(/\/\*\*[\s\S]*?\*\//g, '')
        .replace(/export (?:type )?\{[^}]*\} from '[^']+';/g, '')
        .trim() === '';
    const inner = sourceFiles().filter(
      (file) =>
        /^src\/.+\/.+\/index\.ts$/.test(file) &&
        handsOnOnly(file) &&
        imports.every(({ from, to }) => to !== file || layerOf(from) === layerOf(file)),
    );
    expect(inner).to.deep.equal([]);
  });

  it('has no cycle over files, types included', () => {
    expect(findCycle(edgesOf(imports))).to.equal(undefined);
  });

  it('opens every index.ts with a paragraph about its folder', () => {
    const bare = sourceFiles().filter(
      (file) => file.endsWith('/index.ts') && !textOf(file).startsWith('/**'),
    );
    expect(bare).to.deep.equal([]);
  });
});
