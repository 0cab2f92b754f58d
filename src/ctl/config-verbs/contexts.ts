import { CtlError, UnknownNameError, UsageError } from '../errors.ts';
import { createTextTable } from '../printers/text-table.ts';
import { defineVerb } from '../verb.ts';
import { edit, fileOf, fileOfCurrentContext, loadMerged } from './files.ts';

/** `ctl config current-context`. */
export const currentContextVerb = defineVerb({
  program: {
    name: 'ctl config current-context',
    summary: 'Print the current context',
    usage: '',
    options: [],
  },
  async run(ctl) {
    const { currentContext } = await loadMerged(ctl);
    if (currentContext === '') throw new CtlError('current-context is not set');
    ctl.io.stdout.write(`${currentContext}\n`);
  },
});

/** `ctl config use-context`. */
export const useContextVerb = defineVerb({
  program: {
    name: 'ctl config use-context',
    summary: 'Work with another context from now on',
    usage: 'NAME',
    options: [],
  },
  async run(ctl, { args }) {
    const [name] = args;
    if (name === undefined || args.length > 1)
      throw new UsageError(`exactly one context name is required, got ${args.length}`);
    const { contexts } = await loadMerged(ctl);
    if (!contexts.has(name)) {
      const text = `no context exists with the name: ${JSON.stringify(name)}`;
      throw new UnknownNameError(text, name, contexts.keys());
    }
    await edit(await fileOfCurrentContext(ctl), { kind: 'current-context', name });
    ctl.io.stdout.write(`Switched to context ${JSON.stringify(name)}.\n`);
  },
});

/** `ctl config rename-context`. */
export const renameContextVerb = defineVerb({
  program: {
    name: 'ctl config rename-context',
    summary: 'Give a context another name',
    usage: 'OLD NEW',
    options: [],
  },
  async run(ctl, { args }) {
    const [name, newName] = args;
    if (name === undefined || newName === undefined || args.length > 2) {
      throw new UsageError(`the old and the new name are required, got ${args.length} arguments`);
    }
    const config = await loadMerged(ctl);
    if (!config.contexts.has(name)) {
      const file = await fileOf(ctl, 'contexts', name);
      const text = `cannot rename the context ${JSON.stringify(name)}, it's not in ${file}`;
      throw new UnknownNameError(text, name, config.contexts.keys());
    }
    if (config.contexts.has(newName)) {
      throw new CtlError(
        `cannot rename the context ${JSON.stringify(name)}, the context ${JSON.stringify(newName)} already exists in ${await fileOf(ctl, 'contexts', name)}`,
      );
    }
    await edit(await fileOf(ctl, 'contexts', name), { kind: 'rename', section: 'contexts', name, newName });
    if (config.currentContext === name) {
      await edit(await fileOfCurrentContext(ctl), { kind: 'current-context', name: newName });
    }
    ctl.io.stdout.write(`Context ${JSON.stringify(name)} renamed to ${JSON.stringify(newName)}.\n`);
  },
});

/** `ctl config get-contexts`. */
export const getContextsVerb = defineVerb({
  program: {
    name: 'ctl config get-contexts',
    summary: 'List the contexts',
    usage: '[NAME...] [flags]',
    options: [
      {
        name: 'output',
        short: 'o',
        type: 'string',
        allowed: ['name'],
        section: 'Output',
        help: 'name shows the names only.',
      },
      { name: 'no-headers', type: 'bool', section: 'Output', help: 'Leave out the headings of columns.' },
    ],
  },
  async run(ctl, { options, args }) {
    const config = await loadMerged(ctl);
    const missing = args.find((name) => !config.contexts.has(name));
    const names = (args.length > 0 ? args : [...config.contexts.keys()]).filter((name) =>
      config.contexts.has(name),
    );
    const sorted = [...names].sort();
    if (options.output === 'name') ctl.io.stdout.write(sorted.map((name) => `${name}\n`).join(''));
    else {
      const rows = sorted.map((name) => {
        const { cluster = '', user = '', namespace = '' } = config.contexts.get(name) ?? {};
        return [name === config.currentContext ? '*' : '', name, cluster, user, namespace];
      });
      const head = options.noHeaders ? [] : [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE']];
      ctl.io.stdout.write(createTextTable().format([...head, ...rows]));
    }
    if (missing !== undefined) {
      throw new UnknownNameError(`context ${missing} not found`, missing, config.contexts.keys());
    }
  },
});
